import * as v from 'valibot';

// What a page posts to the monitoring intake. A message is a JSON text, sent as such or gzipped: a gzipped one is
// told by its first two bytes (RFC 1952). No header says so, because one more header would cost a preflight, and a
// beacon has none. One may arrive twice, if its answer was lost; a segment's number tells. The intake answers with any 2xx, and allows the page's origin to read that (CORS).

const id = v.pipe(v.string(), v.regex(/^[\da-f]{32}$/));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** Ms since 1970. */
const instant = v.pipe(v.number(), v.minValue(0));

const REPLAY_STATES = [
  /** The recorder and the worker are on their way. */
  'starting',
  'recording',
  /** By the decision of the session. */
  'not-sampled',
  /** The worker had not started in time. */
  'worker-timeout',
  /** The worker or the recorder could not be loaded, or the worker broke. */
  'failed',
  /** A browser that cannot compress. */
  'unsupported',
] as const;

/** Where the replay of a session stands: it is being recorded, or the reason why it is not. */
export type ReplayState = (typeof REPLAY_STATES)[number];

/** A part of a replay: events of rrweb, in order. */
export const segmentSchema = v.strictObject({
  kind: v.literal('segment'),
  session: id,
  view: id,
  /** Its place in the view, from 1. A number that is missing was dropped. */
  number: v.pipe(count, v.minValue(1)),
  events: v.pipe(v.array(v.looseObject({ type: count, timestamp: instant })), v.minLength(1)),
});

export const errorReportSchema = v.strictObject({ at: instant, message: v.string(), stack: v.string() });

export const enteredLineSchema = v.strictObject({
  at: instant,
  /** The row's number, from 1. */
  index: count,
  host: v.string(),
  /** As it was measured, in ms: `FAILED_TIME_MS` where it failed, `UNMEASURED_TIME_MS` where it was not known yet. */
  time: count,
});

/** What is known of one view of a session. The last revision of a view replaces those before it. */
export const sessionRecordSchema = v.strictObject({
  kind: v.literal('session'),
  session: id,
  view: id,
  revision: v.pipe(count, v.minValue(1)),
  sessionStartedAt: instant,
  startedAt: instant,
  /** The views of the session so far, this one among them. */
  pageViews: v.pipe(count, v.minValue(1)),
  /** The path of the page, without its query. */
  page: v.string(),
  device: v.picklist(['mobile', 'pc']),
  replay: v.picklist(REPLAY_STATES),
  errors: v.array(errorReportSchema),
  /** Errors that the record had no room for. */
  errorsLeftOut: count,
  /** By the names of the web-vitals library: ms, and the score of CLS. */
  vitals: v.record(v.picklist(['CLS', 'FCP', 'INP', 'LCP', 'TTFB']), v.number()),
  enteredLines: v.array(enteredLineSchema),
  /** Segments of this view so far. Those that are missing at the intake were lost with the page. */
  segments: count,
  /** Segments that were given up while the page was there. */
  droppedSegments: count,
  /** Events that were larger than a segment may be, and travelled alone. */
  oversizedEvents: count,
});

export const intakeMessageSchema = v.variant('kind', [segmentSchema, sessionRecordSchema]);

export type Segment = v.InferOutput<typeof segmentSchema>;
export type ErrorReport = v.InferOutput<typeof errorReportSchema>;
export type EnteredLine = v.InferOutput<typeof enteredLineSchema>;
export type SessionRecord = v.InferOutput<typeof sessionRecordSchema>;
export type IntakeMessage = v.InferOutput<typeof intakeMessageSchema>;
