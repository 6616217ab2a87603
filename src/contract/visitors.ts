import type { AnalyticsEvent, CountedControl } from './page/analytics-events.ts';

/** What the portal counts of visits, and what the console shows of it. Times are ms since 1970; days are days in UTC. */

/** The steps of a visit of the landing page. A page takes each step once at most. */
export const VISIT_STEPS = ['page_view', 'links_loaded', 'first_row', 'entered'] as const;
/** The pages of which only views are counted. */
export const COUNTED_PAGES = ['/r', '/t', '/c'] as const;
/** The two kinds of devices, as counts, analytics and recordings name them. */
export const DEVICES = ['mobile', 'pc'] as const;
export const VITALS = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB'] as const;

/** The parameters of an address that say what brought a visitor. */
export const UTM_KINDS = ['utm_source', 'utm_medium', 'utm_campaign'] as const;
/** What can have brought a visitor. */
export const SOURCE_KINDS = ['campaign', ...UTM_KINDS] as const;
/** What is counted of visitors by what brought them: opened, saw a time, entered. */
export const SOURCE_STEPS = ['page_view', 'first_row', 'entered'] as const;

export type SourceKind = (typeof SOURCE_KINDS)[number];
export type SourceStep = (typeof SOURCE_STEPS)[number];
export type CountedPage = (typeof COUNTED_PAGES)[number];
export type VisitStep = (typeof VISIT_STEPS)[number];
export type Device = (typeof DEVICES)[number];
export type VitalName = (typeof VITALS)[number];

/** How many days back the numbers go, up to now. */
export const VISITOR_RANGES = { today: 1, '7d': 7, '30d': 30 } as const;

export type VisitorRange = keyof typeof VISITOR_RANGES;

/** Up to `good` is good, above `poor` is poor: https://web.dev/articles/vitals. In ms, but for CLS. */
export const VITAL_BOUNDS: Readonly<Record<VitalName, { readonly good: number; readonly poor: number }>> = {
  LCP: { good: 2_500, poor: 4_000 },
  INP: { good: 200, poor: 500 },
  CLS: { good: 0.1, poor: 0.25 },
  FCP: { good: 1_800, poor: 3_000 },
  TTFB: { good: 800, poor: 1_800 },
};

/** A number beside that of the period before. */
export type Compared = { readonly now: number; readonly before: number };

export type NamedCount = Compared & { readonly name: string };

/** Clicks on a control. Of those now: how many were on phones, in which languages and from where, the most frequent first. */
export type ControlCount = Compared & {
  readonly name: AnalyticsEvent | CountedControl;
  readonly mobile: number;
  readonly languages: readonly NamedCount[];
  readonly countries: readonly NamedCount[];
};

/** The visits of a country, a language or a device. */
export type VisitGroup = {
  readonly name: string;
  readonly views: Compared;
  readonly entered: Compared;
};

/** A web vital of all pages that told it. */
export type VitalSummary = {
  readonly count: number;
  /** Three quarters of the pages were at least as good. Null if none told it. */
  readonly p75: number | null;
  /** How many of them were good, and how many poor. */
  readonly good: number;
  readonly poor: number;
};

export type VisitorPoint = { readonly at: number; readonly views: number; readonly entered: number };

export type VisitorNumbers = {
  readonly at: number;
  /** Whether `analytics.counts` is "self". */
  readonly isOn: boolean;
  readonly range: VisitorRange;
  /** When the period began, and when the one before it did. */
  readonly from: number;
  readonly beforeFrom: number;
  readonly steps: Readonly<Record<VisitStep, Compared>>;
  /** How often each page was opened: `/`, `/r`, `/t`, `/c`. */
  readonly pages: readonly NamedCount[];
  readonly controls: readonly ControlCount[];
  /** The most frequent first, as all lists below. An empty name stands for "none" or "unknown". */
  readonly lines: readonly NamedCount[];
  readonly referrers: readonly NamedCount[];
  readonly countries: readonly VisitGroup[];
  readonly languages: readonly VisitGroup[];
  readonly devices: readonly VisitGroup[];
  readonly vitals: Readonly<Record<VitalName, { readonly now: VitalSummary; readonly before: VitalSummary }>>;
  /** The hours of the period, or its days if it is long. */
  readonly points: readonly VisitorPoint[];
  readonly pointMs: number;
};

/** Makes an object with these keys. */
export function fromNames<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Readonly<Record<Name, Value>> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}

/** Stands for everything that is not listed by name: lines that left the site, languages and referrers beyond the bound. */
export const OTHER = 'other';
