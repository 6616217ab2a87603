import * as v from 'valibot';
import type { Counts } from './counts.ts';
import { BUCKETS } from './time-buckets.ts';

const amount = v.pipe(v.number(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));
/** A bucket of times, or a voter. There are 24 of each. */
const group = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(BUCKETS - 1));
const byGroup = mapOf(group, amount);
const countsSchema = v.object({
  areas: mapOf(
    v.string(),
    mapOf(
      group,
      mapOf(
        v.string(),
        v.object({
          reached: amount,
          failed: amount,
          lost: amount,
          times: amount,
          sumLnMs: amount,
          openLnMs: v.optional(amount),
        }),
      ),
    ),
  ),
  lines: mapOf(
    v.string(),
    v.object({
      handedOut: amount,
      visits: amount,
      tried: amount,
      reached: amount,
      entered: amount,
      // Older portals did not count these.
      moved: v.optional(amount, 0),
      met: v.optional(amount, 0),
      gotIn: v.optional(amount, 0),
      times: byGroup,
    }),
  ),
  site: v.object({
    hostnameCalls: amount,
    reports: amount,
    entered: amount,
    stranded: amount,
    met: v.optional(amount, 0),
    gotIn: v.optional(amount, 0),
    strandedByVoter: byGroup,
    times: byGroup,
  }),
});

/** Writes counts as JSON. A map is the list of its entries. */
export function writeCounts(counts: Counts): string {
  return JSON.stringify(counts, (_key, value: unknown) => (value instanceof Map ? [...value] : value));
}

/** Reads what `writeCounts` wrote. Throws if it is something else: another version of this program may have written it. */
export function readCounts(text: string): Counts {
  return v.parse(countsSchema, JSON.parse(text));
}

function mapOf<K, V>(key: v.GenericSchema<K>, value: v.GenericSchema<unknown, V>) {
  return v.pipe(
    v.array(v.tuple([key, value])),
    v.transform((entries) => new Map<K, V>(entries)),
  );
}
