/** Where the page tag is loaded from, unless the site folder names another address. */
export const DEFAULT_TAG_URL = 'https://www.googletagmanager.com/gtag/js';

/**
 * Every analytics event, by the name that the page tag receives.
 *
 * `source` is what fires it: the beginning of a visit, a control of the page, or nothing that can be seen yet.
 * `parameters` is what it carries beside `device` and `function`, which are always sent.
 */
export const ANALYTICS_EVENTS = {
  site_referrer: { source: 'visit', parameters: ['referrer'] },
  header_service: { source: 'control', parameters: [] },
  tab_ub: { source: 'control', parameters: [] },
  tab_wallet: { source: 'control', parameters: [] },
  tab_helper: { source: 'none', parameters: [] },
  tab_e_plus: { source: 'control', parameters: [] },
  tab_telegram: { source: 'control', parameters: [] },
  tab_eline: { source: 'none', parameters: [] },
  official_line: { source: 'control', parameters: ['index'] },
  retest: { source: 'control', parameters: [] },
  tip_ub: { source: 'control', parameters: [] },
  tip_service: { source: 'control', parameters: [] },
} as const;

/** The kinds of controls that tell the page tag nothing, on purpose. A control in neither list fails the tests. */
export const SILENT_CONTROLS = [
  'announcement',
  'compliance',
  'consent',
  'copy',
  'download',
  'home',
  'in-app-hint',
  'language',
  'links-retry',
  'skip',
  'unproven-line',
] as const;

export type AnalyticsEvent = keyof typeof ANALYTICS_EVENTS;
export type SilentControl = (typeof SILENT_CONTROLS)[number];
/** The silent controls that the portal counts (`analytics.counts`). Answers about consent are never counted. */
export type CountedControl = Exclude<SilentControl, 'consent'>;

type EventsFrom<Source extends string> = {
  [Name in AnalyticsEvent]: (typeof ANALYTICS_EVENTS)[Name]['source'] extends Source ? Name : never;
}[AnalyticsEvent];

/** The events that a control fires when it is used. */
export type ControlEvent = EventsFrom<'control'>;

/** The events of controls that pages have. */
export type UsedControl = ControlEvent | CountedControl;

/** Whether pages have a control for an event. Some are reserved, and the beginning of a visit is none. */
export function hasControl(name: AnalyticsEvent | CountedControl): name is UsedControl {
  return !isAnalyticsEvent(name) || ANALYTICS_EVENTS[name].source === 'control';
}

function isAnalyticsEvent(name: string): name is AnalyticsEvent {
  return Object.hasOwn(ANALYTICS_EVENTS, name);
}

type ParameterTypes = {
  /** Where the visitor came from: `document.referrer`. */
  readonly referrer: string;
  /** The row's number, from 1. */
  readonly index: number;
};

/** What an event carries of its own. */
export type EventParameters<Name extends AnalyticsEvent> = Pick<
  ParameterTypes,
  (typeof ANALYTICS_EVENTS)[Name]['parameters'][number]
>;
