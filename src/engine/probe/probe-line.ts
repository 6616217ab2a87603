import { FAILED_TIME_MS, SPEED_CHECK_TIMEOUT_MS } from '../../contract/limits.ts';
import { SPEED_CHECK_PATH } from '../../contract/paths.ts';
import type { FailureCause, SpeedResult } from '../../contract/api/speed-result.ts';
import type { Effects, WatchTiming } from '../effects/effects.ts';
import type { Line } from '../line/build-line.ts';
import type { LineIdentity } from '../../contract/line/line-reply.ts';
import { isOurLine } from '../line/is-our-line.ts';
import { abortAfter } from '../effects/link-abort.ts';
import type { AskAnybody } from './create-ask-anybody.ts';

export type Probe = {
  /** Known as soon as the headers are in. If the probe failed, known when it is clear whether anybody answers there. */
  readonly verdict: Promise<ProbeVerdict>;
  /** The result with the time to show. Undefined if the probe was aborted from outside. */
  readonly result: Promise<SpeedResult | undefined>;
};

export type ProbeSettings = Pick<Effects, 'fetch' | 'now' | 'setTimer'> &
  LineIdentity & {
    readonly watchTiming: WatchTiming;
    /** Asked after a probe has failed. `/r` has none: it never enters a line that failed. */
    readonly askAnybody?: AskAnybody | undefined;
    /** Called before `askAnybody`. Until the result is there, another server may answer at the line's address. */
    readonly onDoubt?: (() => void) | undefined;
  };

/** No cache, no cookies and no referrer, and no preflight. */
export const PLAIN_REQUEST = {
  cache: 'no-store',
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
} as const satisfies RequestInit;

/** How many ms the line took, or why it failed. Undefined if the probe was aborted from outside. */
export type ProbeVerdict = number | FailureCause | undefined;

/** Sends the speed check to a line, checks its marker and measures the time. */
export function probeLine(line: Line, settings: ProbeSettings, outer: AbortSignal): Probe {
  const { fetch, now, setTimer, watchTiming, askAnybody, onDoubt } = settings;
  const url = line.address + SPEED_CHECK_PATH;
  const controller = abortAfter(SPEED_CHECK_TIMEOUT_MS, outer, setTimer);
  const timing = watchTiming(url);

  async function ask(): Promise<ProbeVerdict> {
    const startedAt = now();
    try {
      const response = await fetch(url, { ...PLAIN_REQUEST, redirect: 'error', signal: controller.signal });
      const elapsedMs = now() - startedAt;
      // The headers have decided. The body may be large, so it is cancelled unread.
      response.body?.cancel().catch(() => undefined);
      return isOurLine(response, settings) ? elapsedMs : 'wrong-server';
    } catch {
      // `fetch` does not say why it failed, but it is known which signal was aborted.
      if (controller.signal.aborted) return outer.aborted ? undefined : 'timeout';
      onDoubt?.();
      // It has what is left of the probe's 5 seconds.
      const isAnswered = await askAnybody?.(url, controller.signal);
      if (outer.aborted) return undefined;
      return isAnswered ? 'wrong-server' : 'unreachable';
    }
  }

  async function conclude(): Promise<SpeedResult | undefined> {
    const found = await verdict;
    try {
      if (typeof found !== 'number') return found && { host: line.host, time: FAILED_TIME_MS, cause: found };
      const timeMs = (await timing.read(outer)) ?? found;
      return { host: line.host, time: Math.max(1, Math.round(timeMs)) };
    } finally {
      timing.stop();
      controller.abort();
    }
  }

  const verdict = ask();
  return { result: conclude(), verdict };
}
