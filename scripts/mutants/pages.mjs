const LIMITS = 'src/contract/limits.ts';
const SEGMENTER = ['src/web/watching/monitoring/replay/create-segmenter.test.ts'];

/** What pages do around the engine: links, consent, analytics, monitoring, the width of a desktop. */
export const PAGE_MUTANTS = [
  {
    file: LIMITS,
    find: 'DESKTOP_MIN_WIDTH_PX = 768',
    replace: 'DESKTOP_MIN_WIDTH_PX = 900',
    tests: ['src/web/watching/read-device.test.ts'],
    loses: 'Tablets have tabs without codes, and are counted as phones.',
  },
  {
    file: 'src/contract/site/links-config.ts',
    find: "const WEB_SCHEMES = ['https:', 'http:'];",
    replace: "const WEB_SCHEMES = ['https:', 'http:', 'javascript:'];",
    tests: ['src/contract/site/links-config.test.ts'],
    loses: 'A links file can run script in the page.',
  },
  {
    file: 'src/web/kit/start/build-destination.ts',
    find: 'if (keepQuery) {',
    replace: 'if (search) {',
    tests: ['src/web/kit/start/build-destination.test.ts'],
    loses: 'What a visitor came with is handed to every line, although the site says no.',
  },

  // Consent and analytics
  {
    file: 'src/web/kit/consent/create-consent.ts',
    find: "hasPrivacySignal ? 'refused' : isRequired",
    replace: 'isRequired',
    tests: ['src/web/kit/consent/create-consent.test.ts'],
    loses: 'The browser’s privacy signal is ignored.',
  },
  {
    file: 'src/web/kit/consent/create-consent.ts',
    find: ": 'unasked';",
    replace: ": 'granted';",
    tests: ['src/web/kit/consent/create-consent.test.ts'],
    loses: 'Visitors who were never asked are watched.',
  },
  {
    file: 'src/web/kit/consent/create-consent.ts',
    find: "if (!isChoosable || choice === 'unasked'",
    replace: "if (!isChoosable || choice !== 'granted'",
    tests: ['src/web/kit/consent/create-consent.test.ts'],
    loses: 'Visitors who refuse in one tab are watched in the others.',
  },
  {
    file: 'src/web/watching/analytics/create-analytics.ts',
    find: "if (consent.getSnapshot().choice === 'refused') return;",
    replace: '',
    tests: ['src/web/watching/analytics/create-analytics.test.ts'],
    loses: 'Events of visitors who refused reach the tag.',
  },

  // Monitoring
  {
    file: LIMITS,
    find: 'REPLAY_SEGMENT_BYTES = 60_000',
    replace: 'REPLAY_SEGMENT_BYTES = 50_000',
    tests: SEGMENTER,
    loses: 'Segments are cut before their 60,000 bytes.',
  },
  {
    file: LIMITS,
    find: 'REPLAY_SEGMENT_MS = 30_000',
    replace: 'REPLAY_SEGMENT_MS = 20_000',
    tests: SEGMENTER,
    loses: 'Segments are cut before their 30 s.',
  },
  {
    file: LIMITS,
    find: 'REPLAY_WORKER_START_MS = 10_000',
    replace: 'REPLAY_WORKER_START_MS = 5_000',
    tests: ['src/web/watching/monitoring/replay/open-compressor.test.ts'],
    loses: 'On slow phones the replay is off although its worker would have started.',
  },
  {
    file: LIMITS,
    find: 'REPLAY_SAMPLE_PERCENT = 20',
    replace: 'REPLAY_SAMPLE_PERCENT = 100',
    tests: ['src/contract/site/site-config.test.ts'],
    loses: 'Every session is recorded instead of every fifth.',
  },
  {
    file: LIMITS,
    find: 'SESSION_SAMPLE_PERCENT = 100',
    replace: 'SESSION_SAMPLE_PERCENT = 50',
    tests: ['src/contract/site/site-config.test.ts'],
    loses: 'Half of the sessions are not monitored.',
  },
  {
    file: 'src/web/watching/monitoring/replay/create-segmenter.ts',
    find: 'if (sizeOf(open) > REPLAY_SEGMENT_BYTES) close();',
    replace: '',
    tests: SEGMENTER,
    loses: 'A large event stays in the browser until the next one, and is lost with the page.',
  },
  {
    file: 'src/web/watching/monitoring/replay/start-recorder.ts',
    find: 'maskAllInputs: true,',
    replace: 'maskAllInputs: false,',
    spec: 'e2e/monitoring.spec.ts',
    title: 'within the limits, masked',
    loses: 'What visitors type leaves the browser.',
  },

  // The landing page
  {
    file: 'src/web/kit/page/header.tsx',
    find: '<Picture className={styles.promo} image={images.promo} alt="" />',
    replace: '<Picture className={styles.promo} image={images.logo} alt="" />',
    tests: ['src/web/landing/landing-page.test.ts'],
    loses: 'The header has no promo image.',
  },
  {
    file: 'src/web/landing/downloads/download-panel.tsx',
    find: '<strong dir="ltr">{brand.email}</strong>',
    replace: '',
    tests: ['src/web/landing/landing-page.test.ts'],
    loses: 'The official mailbox is not shown.',
  },
  {
    file: 'src/web/landing/downloads/download-panel.tsx',
    find: 'tg: images.telegramQr',
    replace: 'tg: images.walletQr',
    tests: ['src/web/landing/landing-page.test.ts'],
    loses: 'The code of the channel leads to the wallet tutorial.',
  },
  {
    file: 'src/web/landing/lines/line-row.tsx',
    find: "if (row.cause === 'wrong-server') {",
    replace: "if (row.cause === 'timeout') {",
    tests: ['src/web/landing/landing-page.test.ts'],
    loses: 'A server that could not prove to be the brand’s cannot be entered at all.',
  },
  {
    file: 'src/web/landing/lines/row-parts.ts',
    find: "cause === 'wrong-server' ? undefined : address;",
    replace: 'address;',
    tests: ['src/web/landing/lines/row-parts.test.ts'],
    loses: 'A server that could not prove to be the brand’s is entered at one click.',
  },
  {
    file: 'src/web/landing/lines/line-row.tsx',
    find: '{row.isBackup && <span',
    replace: '{row.isFastest && <span',
    tests: ['src/web/landing/landing-page.test.ts'],
    loses: 'Backup rows do not say that they are.',
  },

  // Lines that are fetched ahead
  {
    file: 'src/web/kit/start/fetch-ahead.ts',
    find: 'const MAX_FETCHED = 2;',
    replace: 'const MAX_FETCHED = 4;',
    tests: ['src/web/kit/start/fetch-ahead.test.ts'],
    loses: 'Every line is asked for a page that nobody enters.',
  },
  {
    file: 'src/web/kit/start/fetch-ahead.ts',
    find: 'if (!left || navigator.connection?.saveData) return;',
    replace: 'if (!left) return;',
    tests: ['src/web/kit/start/fetch-ahead.test.ts'],
    loses: 'Visitors who save data pay for pages that they do not open.',
  },
  {
    file: 'src/web/kit/start/fetch-ahead.ts',
    find: ", referrer_policy: 'no-referrer'",
    replace: '',
    tests: ['src/web/kit/start/fetch-ahead.test.ts'],
    loses: 'A server that is not the brand’s learns where its visitor comes from.',
  },
  {
    file: 'src/web/landing/fetch-rows-ahead.ts',
    find: "|| row.speed.key !== 'measured' ",
    replace: '',
    tests: ['src/web/landing/fetch-rows-ahead.test.ts'],
    loses: 'The page of a server that could not prove to be the brand’s is fetched.',
  },
  {
    file: 'src/web/landing/fetch-rows-ahead.ts',
    find: 'if (isMeasured(board.getSnapshot())) fetchRow',
    replace: 'fetchRow',
    tests: ['src/web/landing/fetch-rows-ahead.test.ts'],
    loses: 'A download beside the probes makes lines look slow.',
  },
  {
    file: 'src/web/landing/fetch-rows-ahead.ts',
    find: "link.matches(':hover') && fetchLink()",
    replace: 'fetchLink()',
    tests: ['src/web/landing/fetch-rows-ahead.test.ts'],
    loses: 'A mouse on its way fetches every line that it passes.',
  },
  {
    file: 'src/web/redirect/render-redirect.ts',
    find: '[hidden]{display:block;background:none}',
    replace: '[hidden]{background:none}',
    spec: 'e2e/fetch-ahead.spec.ts',
    title: 'fetches the favourite during the race',
    loses: '/r fetches nothing ahead, because its link has no box.',
  },

  // The wiring of /r and /t, which only a browser sees
  {
    file: 'src/web/redirect/main.ts',
    find: 'askLinks: (asked) => waitForLinks(asked, { ...effects, store }),',
    replace: 'askLinks: (asked) => (void waitForLinks(asked, { ...effects, store }), Promise.resolve()),',
    spec: 'e2e/redirect.spec.ts',
    title: '/r sends no probe before the links config has settled',
    loses: '/r probes before the links config is settled.',
  },
  {
    file: 'src/web/type-redirect/main.ts',
    find: 'askLinks: (asked) => waitForLinks(asked, { ...effects, store }),',
    replace: 'askLinks: (asked) => (void waitForLinks(asked, { ...effects, store }), Promise.resolve()),',
    spec: 'e2e/type-redirect.spec.ts',
    title: 'asks for its file and its links together',
    loses: '/t probes before the links config is settled.',
  },
  {
    file: 'src/web/type-redirect/main.ts',
    find: 'if (persisted) chooseAgain();',
    replace: 'if (persisted) void choose();',
    spec: 'e2e/type-redirect.spec.ts',
    title: 'comes back with the button, and chooses anew',
    loses: 'Whoever comes back from a dead address is offered it again.',
  },
  {
    file: 'src/web/redirect/main.ts',
    find: 'report.enter(found.line.host);',
    replace: '',
    spec: 'e2e/redirect.spec.ts',
    title: 'and reports it',
    loses: 'Nobody learns which line the visitors of /r enter.',
  },
];
