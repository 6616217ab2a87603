import type { PlaywrightTestConfig } from '@playwright/test';

/**
 * Marks a test that runs in Chromium only: because it needs no browser, because every browser gets the same document, because
 * what it looks at is our own code and no browser's, or because only Chromium can do what it needs. `test('…', IN_CHROMIUM, …)`.
 */
export const IN_CHROMIUM = { tag: '@chromium' } as const;

/**
 * Marks a test that runs in Firefox in `npm run soak` only. It could find a fault of Firefox, but what it looks at is mostly our
 * own code, and a page in Firefox takes three times as long as one in Chromium.
 */
export const FIREFOX_IN_SOAK = { tag: '@firefox-in-soak' } as const;

/**
 * Two host names that `/t` lets pass, and one that it does not. In these browsers they lead to loopback: in a browser of its
 * own, the test of the guard would take seconds more.
 */
export const GUARDED_NAMES = ['go.demo.example', 'app.demo.example', 'other.example'] as const;

const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * For each window Chromium loads two pages of its own below the address bar, and they keep a processor busy for a second. No phone
 * has them, and a bench would measure them, so they are off. Chromium reads only the last such list: this one repeats
 * Playwright's, but for what only tests need.
 */
const WINDOW_FEATURES_OFF = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'Translate',
];

/** The browsers of the Debian packages, with everything off that talks to the world on its own. */
export const BROWSERS = {
  chromium: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: '/usr/bin/chromium',
      args: [...CHROMIUM_ARGS, `--disable-features=${WINDOW_FEATURES_OFF.join(',')}`],
    },
  },
  firefox: {
    browserName: 'firefox',
    channel: 'moz-firefox',
    launchOptions: {
      executablePath: '/usr/bin/firefox-esr',
      firefoxUserPrefs: {
        'network.dns.localDomains': GUARDED_NAMES.join(','),
        // Without a back/forward cache, as Playwright starts Chromium: Playwright would wait for ever for a page that comes
        // out of it.
        'browser.sessionhistory.max_total_viewers': 0,
        // Nobody watches: a third of the frames, and no processes kept ready for pages that never come.
        'layout.frame_rate': 20,
        'ui.prefersReducedMotion': 1,
        'dom.ipc.processPrelaunch.enabled': false,
      },
    },
  },
} as const satisfies Readonly<Record<string, PlaywrightTestConfig['use']>>;

/** The same Chromium without the parts that only a window needs. A page takes two thirds of the processor time there. */
export const HEADLESS_CHROMIUM = {
  ...BROWSERS.chromium,
  launchOptions: {
    ...BROWSERS.chromium.launchOptions,
    executablePath: '/usr/bin/chromium-headless-shell',
    args: [
      ...CHROMIUM_ARGS,
      `--host-resolver-rules=${GUARDED_NAMES.map((name) => `MAP ${name} 127.0.0.1`).join(', ')}`,
    ],
  },
} as const satisfies PlaywrightTestConfig['use'];
