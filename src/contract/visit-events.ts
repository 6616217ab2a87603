import * as v from 'valibot';
import { EVENT_MAX_LINES, EVENT_MAX_TIMES, SOURCE_MAX_CHARS } from './limits.ts';
import {
  ANALYTICS_EVENTS,
  type AnalyticsEvent,
  type CountedControl,
  SILENT_CONTROLS,
} from './page/analytics-events.ts';
import { COUNTED_PAGES, DEVICES, SOURCE_KINDS, VISIT_STEPS, VITALS } from './visitors.ts';

export type CountedEvent = AnalyticsEvent | CountedControl;

/** All that is counted: every analytics event, in the order of the catalogue, and the controls that the tag is not told of. */
export const EVENT_NAMES: readonly CountedEvent[] = [
  ...(Object.keys(ANALYTICS_EVENTS) as AnalyticsEvent[]),
  ...SILENT_CONTROLS.filter((name) => name !== 'consent'),
];

const times = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(EVENT_MAX_TIMES));
/** Milliseconds, or the score of a layout shift. Ten minutes are beyond any page that somebody waited for. */
const vital = v.optional(v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(600_000)));

const language = v.pipe(v.string(), v.maxLength(35));
const steps = v.pipe(
  v.array(v.picklist(VISIT_STEPS)),
  v.maxLength(VISIT_STEPS.length),
  v.check((taken) => new Set(taken).size === taken.length),
);
/** What brought the visitor: the code of a campaign, and parameters of the address. */
const from = v.optional(
  v.strictObject(
    v.entriesFromList(
      SOURCE_KINDS,
      v.optional(v.pipe(v.string(), v.regex(/^\P{Cc}+$/u), v.maxLength(SOURCE_MAX_CHARS))),
    ),
  ),
);

/**
 * What visitors did on a page since its last batch. Nothing in it tells one visitor from another: no id, no address, and no
 * time.
 */
export const visitEventsSchema = v.strictObject({
  device: v.picklist(DEVICES),
  /** The language of the page. */
  language,
  /** The host that led here. Empty if there is none, or if it is this site. */
  referrer: v.pipe(v.string(), v.maxLength(253)),
  steps,
  from,
  /** How often each event happened. */
  events: v.record(v.picklist(EVENT_NAMES), times),
  /** How often each line was entered, by its host. */
  lines: v.pipe(v.record(v.pipe(v.string(), v.maxLength(300)), times), v.maxEntries(EVENT_MAX_LINES)),
  /** Once for each page, when they will change no more. */
  vitals: v.optional(v.strictObject(v.entriesFromList(VITALS, vital))),
});

/** A view of `/r`, `/t` or `/c`. It says more only if something is known of what brought the visitor. */
export const pageViewSchema = v.pipe(
  v.strictObject({
    page: v.picklist(COUNTED_PAGES),
    device: v.optional(v.picklist(DEVICES)),
    language: v.optional(language),
    steps: v.optional(steps),
    from,
  }),
  v.check((view) => view.from !== undefined || (view.device ?? view.language ?? view.steps) === undefined),
);

export type VisitEvents = v.InferOutput<typeof visitEventsSchema>;
export type PageView = v.InferOutput<typeof pageViewSchema>;
