import { DAY_MS, MINUTE_MS } from '../../../contract/time-units.ts';
import { MISSING_VISITORS, addCalls } from './cusum.ts';

/** What speaks for missing visitors, by where they are counted, such as `all` or `network/SG/AS64500`. */
export type MissingVisitors = ReadonlyMap<string, MissingEvidence>;

export type MissingEvidence = {
  readonly sum: number;
  readonly since: number;
  readonly isMissing: boolean;
  /** How many came since then, and how many could be expected. */
  readonly seen: number;
  readonly expected: number;
};

export type Expected = { readonly seen: number; readonly expected: number };

/** It must last: the restart of a proxy is no loss. */
const MIN_MISSING_MS = 5 * MINUTE_MS;
/** After a day nobody expects them any more: a domain may have been given up. */
const USUAL_AFTER_MS = DAY_MS;

/**
 * Adds what was seen in about a minute that ended now. A place that is not in `counted` keeps what is known of it: at this hour too few
 * visitors come from there to tell.
 */
export function noteCalls(
  before: MissingVisitors,
  counted: ReadonlyMap<string, Expected>,
  { now, minutes }: { readonly now: number; readonly minutes: number },
): MissingVisitors {
  const after = new Map(before);
  for (const [place, { seen, expected }] of counted) {
    const known = before.get(place);
    const begun = known ?? {
      sum: 0,
      since: now - minutes * MINUTE_MS,
      isMissing: false,
      seen: 0,
      expected: 0,
    };
    const sum = addCalls(begun.sum, { seen, expected, minutes }, MISSING_VISITORS);
    const isLong = now - begun.since >= MIN_MISSING_MS;
    if (sum > 0)
      after.set(place, {
        ...begun,
        sum,
        seen: begun.seen + seen,
        expected: begun.expected + expected,
        isMissing: begun.isMissing || (isLong && sum >= MISSING_VISITORS.missingAt),
      });
    else after.delete(place);
  }
  return after;
}

/** Leaves out what has been missing for a day. */
export function forgetUsual(evidence: MissingVisitors, now: number): MissingVisitors {
  return new Map([...evidence].filter(([, { since }]) => now - since < USUAL_AFTER_MS));
}
