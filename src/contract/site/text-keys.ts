/** Every text of the pages by its key, grouped by where it stands. A locale must have all, and `texts` in `site.json` may replace them. */
export const TEXT_GROUPS = {
  /** In the tab of the browser, and in search results. */
  browser: ['title', 'description'],
  /** At the top of the landing page. */
  header: ['heroTitle', 'heroText', 'service', 'unavailable'],
  downloads: [
    'downloadsTitle',
    'ubTab',
    'ubPlatforms',
    'ubText',
    'ubDownload',
    'walletTab',
    'walletNote',
    'walletText',
    'walletOpen',
    'esbTab',
    'esbPlatforms',
    'esbText',
    'telegramTab',
    'telegramNote',
    'telegramText',
    'telegramOpen',
    'mailbox',
    'copyMailbox',
    'qrCode',
    'qrTooLong',
  ],
  announcement: ['announcement', 'announcementMore', 'dismiss'],
  lines: [
    'linesTitle',
    'measuring',
    'measured',
    'notMeasured',
    'officialLine',
    'retest',
    'testing',
    'fastest',
    'fast',
    'fair',
    'slow',
    'backup',
    'estimate',
    'aboveFiveSeconds',
    'aboveTwentySeconds',
    'timeout',
    'unreachable',
    'wrong-server',
    'copyLine',
    'copied',
    'copyFailed',
    'hintUb',
    'hintService',
  ],
  footer: ['ageLimit', 'operator', 'licence', 'responsiblePlay', 'language'],
  consent: ['consentTitle', 'consentText', 'consentAgree', 'consentRefuse'],
  /** The warning of a line that could not prove itself. `openAnyway` is also for an address of `/t` that does not answer. */
  unproven: ['unprovenTitle', 'unprovenText', 'useLine', 'useOther', 'openAnyway'],
  /** When something does not work. */
  trouble: [
    'linksFailed',
    'lastLinks',
    'tryAgain',
    'noneReachable',
    'noneHelp',
    'offline',
    'offlineOver',
    'awayTitle',
    'awayText',
  ],
  /** Inside of other apps. */
  inApp: ['inAppHint', 'copyPage'],
  /** On `/r` and `/t`. */
  redirect: ['enter', 'choosing', 'fastestOf', 'proven', 'targetFailed'],
  notFound: ['notFound', 'notFoundText', 'home'],
  /** When the site is closed for a visitor. */
  closed: [
    'maintenanceTitle',
    'maintenance',
    'maintenanceNote',
    'maintenanceEnd',
    'restrictedTitle',
    'restricted',
  ],
  /** For links of campaigns that do not work. */
  campaign: ['campaignUnknown', 'campaignSoon', 'campaignEnded'],
} as const;

export type TextGroupName = keyof typeof TEXT_GROUPS;
export type TextKey = (typeof TEXT_GROUPS)[TextGroupName][number];

export const TEXT_KEYS: readonly TextKey[] = Object.values(TEXT_GROUPS).flat();

/** The texts of one language. The type check finds a missing one. */
export type Texts = Readonly<Record<TextKey, string>>;

/** The texts that an operator may leave empty: those on the banner, because the image may have its own. */
export const EMPTIABLE_TEXT_KEYS: readonly TextKey[] = ['heroTitle', 'heroText'];
