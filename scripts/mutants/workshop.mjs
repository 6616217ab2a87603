import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from '../run.mjs';

/** What a copy of the project does not need. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'release', 'test-results']);
const REPORT = 'mutant-report.json';
/** A mutant may make a test hang. A busy machine must not. */
const TEST_TIMEOUT_MS = 60_000;

/** Opens a copy of the project in which code may be broken. The checkout itself is never touched. */
export function openWorkshop() {
  const dir = mkdtempSync(join(tmpdir(), 'waypost-mutants-'));
  cpSync(ROOT, dir, { recursive: true, filter: (path) => !LEFT_OUT.has(relative(ROOT, path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));

  return {
    /** Says what is wrong with the tests of these mutants before anything is changed; undefined where they pass. */
    async runUnchanged(mutants) {
      for (const run of joinRuns(mutants)) {
        const { verdict, detail } = await runTests(run);
        if (verdict !== 'survived') return `without any mutant, ${run.tests.join(' ')}: ${detail}`;
      }
      return undefined;
    },
    /** Makes the change, runs the tests that should notice, and takes the change back. */
    async tryMutant({ file, find, replace, tests, spec, title }) {
      const path = join(dir, file);
      const code = readFileSync(path, 'utf8');
      writeFileSync(
        path,
        code.replace(find, () => replace),
      );
      try {
        return await runTests({
          tests: spec === undefined ? tests : [spec],
          title,
          isBrowser: spec !== undefined,
        });
      } finally {
        writeFileSync(path, code);
      }
    },
    close: () => rmSync(dir, { recursive: true, force: true }),
  };

  async function runTests({ tests, title, isBrowser }) {
    rmSync(join(dir, REPORT), { force: true });
    if (isBrowser) {
      const built = await run('node', ['scripts/build.mjs']);
      if (built.status !== 0) return { verdict: 'broken', detail: `it does not build:\n${built.output}` };
    }
    const { output } = await (isBrowser ? runPlaywright(tests, title) : runVitest(tests, title));
    const report = readReport(isBrowser ? readBrowserReport : readUnitReport);
    if (report === undefined) return { verdict: 'broken', detail: output };
    if (report.failed !== undefined) return { verdict: 'killed', detail: report.failed };
    return report.passed > 0
      ? { verdict: 'survived' }
      : { verdict: 'broken', detail: `no test ran:\n${output}` };
  }

  function runVitest(tests, title) {
    const only = title === undefined ? [] : ['-t', title];
    return run(join(dir, 'node_modules/.bin/vitest'), [
      'run',
      ...tests,
      ...only,
      '--bail=1',
      '--retry=0',
      '--cache=false',
      `--testTimeout=${TEST_TIMEOUT_MS}`,
      '--reporter=json',
      `--outputFile=${REPORT}`,
    ]);
  }

  function runPlaywright(tests, title) {
    return run(
      join(dir, 'node_modules/.bin/playwright'),
      [
        'test',
        ...tests,
        '-g',
        title,
        '--project=chromium',
        '--workers=1',
        '--max-failures=1',
        '--retries=0',
        '--reporter=json',
      ],
      { PLAYWRIGHT_JSON_OUTPUT_FILE: REPORT },
    );
  }

  function run(command, args, env = {}) {
    return new Promise((resolve) => {
      const child = spawn(command, args, {
        cwd: dir,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const output = [];
      child.stdout.on('data', (chunk) => output.push(chunk));
      child.stderr.on('data', (chunk) => output.push(chunk));
      child.on('close', (status) =>
        resolve({ status, output: Buffer.concat(output).toString().slice(-2_000) }),
      );
    });
  }

  function readReport(read) {
    try {
      return read(JSON.parse(readFileSync(join(dir, REPORT), 'utf8')));
    } catch {
      return undefined; // The runner itself failed; its output says why.
    }
  }
}

/** One run for all unit tests, and one for the tests of each browser spec. */
function joinRuns(mutants) {
  const unit = mutants.flatMap(({ tests = [] }) => tests);
  const specs = new Set(mutants.flatMap(({ spec }) => spec ?? []));
  const titlesOf = (wanted) => mutants.filter(({ spec }) => spec === wanted).map(({ title }) => title);
  return [
    ...(unit.length > 0 ? [{ tests: [...new Set(unit)], isBrowser: false }] : []),
    ...[...specs].map((spec) => ({ tests: [spec], title: titlesOf(spec).join('|'), isBrowser: true })),
  ];
}

function readUnitReport({ testResults, numPassedTests, success }) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.find(({ status }) => status === 'failed')?.fullName;
  // If the code does not even load, this does not prove that a test checks the rule.
  return { failed, passed: success ? numPassedTests : 0 };
}

function readBrowserReport({ suites, stats }) {
  return { failed: suites.flatMap(listSpecs).find(({ ok }) => !ok)?.title, passed: stats.expected };
}

function listSpecs({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(listSpecs)];
}
