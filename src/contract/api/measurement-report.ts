import * as v from 'valibot';
import { FAILED_TIME_MS, REPORT_MAX_RESULTS } from '../limits.ts';

const index = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(REPORT_MAX_RESULTS - 1));

/** What one run of a page measured. Indexes count the ticket's hosts first, then the fallback hosts, then the line whose page asked. */
export const measurementReportSchema = v.strictObject({
  ticket: v.pipe(v.string(), v.minLength(1), v.maxLength(1024)),
  results: v.pipe(
    v.array(
      v.strictObject({
        index,
        /** `open`: still under way when the visitor left. Its time says for how long. */
        outcome: v.picklist(['valid', 'timeout', 'unreachable', 'wrong-server', 'open']),
        // A page that slept may have waited for longer.
        time: v.pipe(v.number(), v.integer(), v.minValue(0), v.toMaxValue(FAILED_TIME_MS)),
      }),
    ),
    v.maxLength(REPORT_MAX_RESULTS),
  ),
  /** The line that the visitor entered, if any. */
  entered: v.nullable(index),
  /** The line that the visitor was in, if it was lost and the visitor was moved to the one above. */
  left: v.optional(index),
});

export type MeasurementReport = v.InferOutput<typeof measurementReportSchema>;
