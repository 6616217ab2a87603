import { type IncidentPart, findLineId } from '../../src/contract/incidents.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/contract/time-units.ts';
import type { Slowdowns } from './slow-down.ts';
import type { OutageTracker } from './track-outages.ts';

/** What really happens. */
export type Truth = {
  readonly outages: Pick<OutageTracker, 'notice' | 'versionOf'>;
  readonly slowdowns: Pick<Slowdowns, 'notice'>;
  /** The line that fails a part of all probes, and from when on. */
  readonly weak: { readonly line: number; readonly fromMs: number };
  /** Whether the product believes that some visitors lose a line. */
  readonly isPartlyLost: (lineId: string) => boolean;
};

export type IncidentJudge = {
  /** Compares a part of an incident that is open with what really happens. */
  readonly judge: (part: IncidentPart, id: string, now: number) => void;
  /** What incidents said that was not so. */
  readonly falseIncidents: () => readonly string[];
  /** From when the weak line began to be weak to its incident, in ms. Undefined if there was none. */
  readonly weakNoticeMs: () => number | undefined;
};

/** What is true now may be false later without anything new: an incident must not outlive its trouble. */
const JUDGE_AGAIN_MS = 10 * MINUTE_MS;

/** Each place that an incident names must really have had an outage, or a slow line. */
export function judgeIncidents({ outages, slowdowns, weak, isPartlyLost }: Truth): IncidentJudge {
  const falseIncidents: string[] = [];
  const judged = new Map<string, { readonly version: number; readonly at: number; isFalse: boolean }>();
  let weakNoticeMs: number | undefined;

  return {
    judge: ({ cause, kind, affected }, id, now) => {
      if (cause.startsWith('portal/')) return void falseIncidents.push(kind);
      const lineId = findLineId(cause) ?? '';
      const line = Number(lineId.slice('line'.length));
      const isWeak = line === weak.line && now > weak.fromMs;
      if (isWeak && isPartlyLost(lineId)) weakNoticeMs ??= now - weak.fromMs;
      const version = outages.versionOf(line);
      // The kind of an incident stays the worst that it was, but the places are those of now.
      for (const place of affected.length > 0 ? affected : ['']) {
        const key = `${id} ${cause} ${kind} ${place}`;
        const last = judged.get(key);
        if (last?.version === version && now - last.at < JUDGE_AGAIN_MS) continue;
        // An outage is not found by an incident about a slow line, nor a slow line by what an outage explains.
        const isOutage = kind !== 'line-slow' && outages.notice(place, line, now);
        const isSlow = !isOutage && slowdowns.notice(place, line, { kind, now });
        const isTrue = isOutage || isSlow || isWeak;
        const isFalse = last?.isFalse ?? false;
        if (!isTrue && !isFalse)
          falseIncidents.push(
            `${kind} of line ${line} in ${place || 'all networks'} at ${(now / HOUR_MS).toFixed(1)} h`,
          );
        judged.set(key, { version, at: now, isFalse: isFalse || !isTrue });
      }
    },
    falseIncidents: () => falseIncidents,
    weakNoticeMs: () => weakNoticeMs,
  };
}
