import { defineConfig } from '@playwright/test';
import { BROWSERS, FIREFOX_IN_SOAK, HEADLESS_CHROMIUM, IN_CHROMIUM } from './e2e/support/browsers.ts';
import { isSoak } from './src/engine/testing/tenth-of.ts';

const WEBKIT_SPECS = 'webkit/*.spec.ts';
const NOT_IN_FIREFOX = isSoak() ? [IN_CHROMIUM] : [IN_CHROMIUM, FIREFOX_IN_SOAK];
/** The steps of a visitor's way to a line, and what keeps visitors in there. `npm run soak` runs every spec in Firefox. */
const WAYS_IN = [
  'campaigns',
  'deployed-lines',
  'engine',
  'fetch-ahead',
  'foreign-servers',
  'landing-lines',
  'landing-start',
  'landing-states',
  'offline',
  'redirect',
  'redirect-faults',
  'start-inline',
  'stay',
  'type-redirect',
  'type-redirect-guard',
].map((name) => `e2e/${name}.spec.ts`);

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  // A file runs in one worker: its tests share its portals, which take a second of a core to start.
  fullyParallel: false,
  // Three more than cores: tests wait a good deal, for the 1.5 s that the rows are being tested at the least.
  workers: 5,
  forbidOnly: true,
  // It is printed, see CONTRIBUTING.md.
  retries: isSoak() ? 0 : 1,
  // A busy machine is no failure: what hangs ends here, and nothing else does.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    locale: 'zh-CN',
    actionTimeout: 60_000,
    // A second visit of a test is like its first one. offline.spec.ts looks at what the service worker changes.
    serviceWorkers: 'block',
    // Without a graphics processor, moving parts take a third of the processor time of a page.
    contextOptions: { reducedMotion: 'reduce' },
  },
  // The first two are here first, and in few workers: a worker's own Firefox and portals take ten seconds of a core to start. The
  // other workers run Chromium meanwhile, and in the end all of them do.
  projects: [
    {
      name: 'firefox',
      workers: 2,
      use: BROWSERS.firefox,
      testIgnore: WEBKIT_SPECS,
      ...(isSoak() ? {} : { testMatch: WAYS_IN }),
      grepInvert: NOT_IN_FIREFOX.map(({ tag }) => new RegExp(`${tag}\\b`)),
    },
    // Playwright cannot drive Debian's WebKit. These tests do so by WebDriver, and use Playwright as the runner only.
    { name: 'webkit', workers: 1, testMatch: WEBKIT_SPECS },
    { name: 'chromium', use: HEADLESS_CHROMIUM, testIgnore: WEBKIT_SPECS },
  ],
});
