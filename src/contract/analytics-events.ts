/** Every analytics event, by the name that the page tag receives. */
export const ANALYTICS_EVENTS = [
  'site_referrer',
  'header_service',
  'tab_ub',
  'tab_wallet',
  'tab_helper',
  'tab_e_plus',
  'tab_telegram',
  'tab_eline',
  'official_line',
  'retest',
  'tip_ub',
  'tip_service',
] as const;

export type AnalyticsEvent = (typeof ANALYTICS_EVENTS)[number];
