import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, runTool } from './run.mjs';
import { withTestFolder } from './with-test-folder.mjs';

const RESULTS = 'test-results';

/** What needs no test, cheapest first. */
export const STATIC_CHECKS = [
  { title: 'format', run: () => runTool('oxfmt', ['--check'], { quiet: true }) },
  { title: 'lint', run: () => runTool('oxlint', [], { quiet: true }) },
  { title: 'types', run: () => runTool('tsc', ['-b'], { quiet: true }) },
  { title: 'rooms', run: () => run('node', ['scripts/check-rooms.mjs']) },
  { title: 'dead code', run: () => runTool('knip', [], { quiet: true }) },
  { title: 'browsers', run: () => run('node', ['scripts/check-browsers.mjs']) },
  { title: 'sizes', run: () => run('node', ['scripts/check-sizes.mjs']) },
  { title: 'mutants', run: () => run('node', ['scripts/check-mutants.mjs']) },
];

/** What needs no browser. */
export const UNIT_CHECK = unitTests();

/** The whole product in real browsers. */
export const BROWSER_CHECK = browserTests();

/** The tests that do more, or wait for longer, where `WAYPOST_SOAK` is set. */
export const LONG_CHECKS = [
  unitTests(
    listUnitTests().filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('/tenth-of.ts')),
  ),
  browserTests(['--project=chromium', '--project=firefox']),
];

/** The tests with this word in the name of their file or in a title. Of a unit test's file, all of it runs. */
export function matchingChecks(word) {
  const files = listUnitTests().filter((file) => file.includes(word) || hasTitleWith(word, file));
  const pattern = word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return [
    ...(files.length > 0 ? [unitTests(files)] : []),
    // A word that is in no browser test is no failure.
    browserTests(['--grep', pattern, '--pass-with-no-tests']),
  ];
}

function unitTests(files = []) {
  return {
    title: 'unit tests',
    run: () => {
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${RESULTS}/unit.json`];
      return withTestFolder((env) => runTool('vitest', ['run', ...files, ...reporters], { env }));
    },
    count: () => {
      const report = readReport('unit.json');
      const unloaded = report.testResults.filter(
        (file) => file.status === 'failed' && file.assertionResults.length === 0,
      );
      return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
    },
  };
}

function browserTests(args = []) {
  return {
    title: 'browser tests',
    run: () =>
      withTestFolder((env) =>
        runTool('playwright', ['test', ...args], {
          env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: `${RESULTS}/browser.json` },
        }),
      ),
    count: () => {
      const { stats, suites } = readReport('browser.json');
      const browsers = Object.entries(countByBrowser(suites)).map(([name, count]) => `${name} ${count}`);
      const again = stats.flaky > 0 ? `, ${stats.flaky} at the second try only` : '';
      return {
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected,
        detail: `in ${browsers.join(', ')}${again}`,
      };
    },
  };
}

/** How many tests ran in each browser. */
function countByBrowser(suites, counts = {}) {
  for (const { specs = [], suites: inner = [] } of suites) {
    for (const { projectName } of specs.flatMap(({ tests }) => tests)) {
      counts[projectName] = (counts[projectName] ?? 0) + 1;
    }
    countByBrowser(inner, counts);
  }
  return counts;
}

function listUnitTests() {
  return readdirSync(join(ROOT, 'src'), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('src', file));
}

function hasTitleWith(word, file) {
  const titles = readFileSync(join(ROOT, file), 'utf8').matchAll(
    /\b(?:describe|test|it)(?:\.\w+)*\(\s*(['"`])(.*?)\1/gs,
  );
  return [...titles].some(([, , title]) => title.includes(word));
}

/**
 * Runs each check, a failed one too, and closes with the line "N passed, N failed". Resolves with the exit status. The lists run at
 * the same time, and the checks of a list one after the other: tests wait a good deal, and most other checks use one core.
 */
export async function runChecks(...lists) {
  let passed = 0;
  let failed = 0;
  await Promise.all(
    lists.map(async (checks) => {
      for (const check of checks) await runCheck(check);
    }),
  );
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;

  async function runCheck(check) {
    const startedAt = performance.now();
    const status = await check.run();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const counted = countOf(check);
    passed += counted?.passed ?? (status === 0 ? 1 : 0);
    // A runner that fails without a failed test (a crash, for example) also counts as a failure.
    failed += status === 0 ? (counted?.failed ?? 0) : Math.max(1, counted?.failed ?? 0);
    const title = [check.title, counted?.detail].filter(Boolean).join(' ');
    process.stdout.write(`${status === 0 ? '✓' : '✗'} ${title} (${seconds} s)\n`);
  }
}

function countOf(check) {
  try {
    return check.count?.();
  } catch {
    return undefined; // No report was written, so only the exit status counts.
  }
}

function readReport(name) {
  return JSON.parse(readFileSync(join(ROOT, RESULTS, name), 'utf8'));
}
