import * as v from 'valibot';
import { DEVICES, VITALS } from './visitors.ts';

// What a page posts to the monitoring intake. A message is a JSON text, plain or gzipped. A gzipped one starts with the
// two bytes of RFC 1952. No header says so, because a header would cost a preflight, and a beacon can have none. A
// message may arrive twice if its answer was lost; the number of a segment shows that. The intake answers with any 2xx,
// and must allow the page's origin to read the answer (CORS).

const id = v.pipe(v.string(), v.regex(/^[\da-f]{32}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Ms since 1970. A `Date` holds no later time. */
const instant = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15));

const REPLAY_STATES = [
  /** The recorder and the worker are loading. */
  'starting',
  'recording',
  /** The session was not drawn for a replay. */
  'not-sampled',
  /** The worker had not started in time. */
  'worker-timeout',
  /** The worker or the recorder could not be loaded, or the worker broke. */
  'failed',
  /** The browser cannot compress. */
  'unsupported',
] as const;

/** The state of a session's replay: recording, or the reason why not. */
export type ReplayState = (typeof REPLAY_STATES)[number];

/** A part of a replay: events of rrweb, in order. */
export const segmentSchema = v.strictObject({
  kind: v.literal('segment'),
  session: id,
  view: id,
  /** Its place in the view, from 1. Missing numbers were dropped. */
  number: v.pipe(count, v.minValue(1)),
  events: v.pipe(v.array(v.looseObject({ type: count, timestamp: instant })), v.minLength(1)),
});

const errorReportSchema = v.strictObject({ at: instant, message: v.string(), stack: v.string() });

const enteredLineSchema = v.strictObject({
  at: instant,
  /** The row's number, from 1. */
  index: count,
  host: v.string(),
  /** The measured time in ms. `FAILED_TIME_MS` if it failed, `UNMEASURED_TIME_MS` if it was not known yet. */
  time: count,
});

/** What is known of one view of a session. The last revision of a view replaces those before it. */
export const sessionRecordSchema = v.strictObject({
  kind: v.literal('session'),
  session: id,
  view: id,
  revision: v.pipe(count, v.minValue(1)),
  sessionStartedAt: instant,
  /** When the page was opened. */
  openedAt: instant,
  /** When this record of it began. */
  startedAt: instant,
  /** The views of the session so far, including this one. */
  pageViews: v.pipe(count, v.minValue(1)),
  /** The path of the page, without its query. */
  page: v.string(),
  device: v.picklist(DEVICES),
  /** The language of the page. */
  language: v.string(),
  /** When the first row had its number. */
  firstRowAt: v.nullable(instant),
  /** How many rows have a number now, and how many failed. */
  reachedLines: count,
  failedLines: count,
  replay: v.picklist(REPLAY_STATES),
  errors: v.array(errorReportSchema),
  /** Errors that the record had no room for. */
  errorsLeftOut: count,
  /** By their usual names. In ms, except the score of CLS. */
  vitals: v.record(v.picklist(VITALS), v.number()),
  enteredLines: v.array(enteredLineSchema),
  /** The segments of this view so far. Those that the intake lacks were lost when the page closed. */
  segments: count,
  /** Segments that were dropped while the page was open. */
  droppedSegments: count,
  /** Events larger than a segment. Each was sent alone. */
  oversizedEvents: count,
  /**
   * True if all that happened until now was sent: the page was hidden or left, or its session has ended. False in the last
   * record of a page that was killed. Absent in records of older pages.
   */
  isWhole: v.optional(v.boolean()),
});

export const intakeMessageSchema = v.variant('kind', [segmentSchema, sessionRecordSchema]);

export type Segment = v.InferOutput<typeof segmentSchema>;
export type ErrorReport = v.InferOutput<typeof errorReportSchema>;
export type EnteredLine = v.InferOutput<typeof enteredLineSchema>;
export type SessionRecord = v.InferOutput<typeof sessionRecordSchema>;
/** What a view has seen of the lines. */
export type SeenLines = Pick<SessionRecord, 'firstRowAt' | 'reachedLines' | 'failedLines'>;
export type IntakeMessage = v.InferOutput<typeof intakeMessageSchema>;
