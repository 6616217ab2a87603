import { TEXT_KEYS, type TextKey } from '../../../contract/site/text-keys.ts';

export type TextGroupName =
  | 'browser'
  | 'header'
  | 'downloads'
  | 'announcement'
  | 'lines'
  | 'unproven'
  | 'trouble'
  | 'inApp'
  | 'footer'
  | 'consent'
  | 'closed'
  | 'redirect'
  | 'notFound'
  | 'campaign'
  | 'other';

export type TextGroup = {
  readonly name: TextGroupName;
  readonly keys: readonly TextKey[];
  /** The page that shows them. Undefined for what is only shown at certain moments. */
  readonly page?: 'landing' | 'target' | 'not-found' | undefined;
  /** Where on that page. */
  readonly anchor?: string | undefined;
};

/** The texts in the order of the page. */
const GROUPS: readonly TextGroup[] = [
  { name: 'header', page: 'landing', keys: ['heroTitle', 'heroText', 'service', 'unavailable'] },
  {
    name: 'downloads',
    page: 'landing',
    anchor: 'downloads-title',
    keys: [
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
  },
  { name: 'announcement', page: 'landing', keys: ['announcement', 'announcementMore', 'dismiss'] },
  {
    name: 'lines',
    page: 'landing',
    anchor: 'lines-title',
    keys: [
      'linesTitle',
      'measuring',
      'measured',
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
  },
  {
    name: 'footer',
    page: 'landing',
    anchor: 'footer',
    keys: ['ageLimit', 'operator', 'licence', 'responsiblePlay', 'language'],
  },
  {
    name: 'consent',
    page: 'landing',
    keys: ['consentTitle', 'consentText', 'consentAgree', 'consentRefuse'],
  },
  { name: 'browser', page: 'landing', keys: ['title', 'description'] },
  { name: 'unproven', keys: ['unprovenTitle', 'unprovenText', 'useLine', 'useOther', 'openAnyway'] },
  {
    name: 'trouble',
    keys: [
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
  },
  { name: 'inApp', keys: ['inAppHint', 'copyPage'] },
  { name: 'redirect', page: 'target', keys: ['enter', 'choosing', 'fastestOf', 'proven', 'targetFailed'] },
  { name: 'notFound', page: 'not-found', keys: ['notFound', 'notFoundText', 'home'] },
  {
    name: 'closed',
    keys: [
      'maintenanceTitle',
      'maintenance',
      'maintenanceNote',
      'maintenanceEnd',
      'restrictedTitle',
      'restricted',
    ],
  },
  { name: 'campaign', keys: ['campaignUnknown', 'campaignSoon', 'campaignEnded'] },
];

/** The texts grouped by where they stand. One that no group names is at the end. */
export function listTextGroups(keys: readonly TextKey[] = TEXT_KEYS): readonly TextGroup[] {
  const others = keys.filter((key) => !GROUPS.some((group) => group.keys.includes(key)));
  const groups: readonly TextGroup[] = [...GROUPS, { name: 'other', keys: others }];
  return groups
    .map(({ name, page, anchor, keys: own }) => ({
      name,
      page,
      anchor,
      keys: own.filter((key) => keys.includes(key)),
    }))
    .filter((group) => group.keys.length > 0);
}
