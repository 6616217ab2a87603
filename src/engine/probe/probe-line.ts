import { FAILED_TIME_MS, SPEED_CHECK_TIMEOUT_MS } from '../../contract/limits.ts';
import { SPEED_CHECK_PATH } from '../../contract/paths.ts';
import type { FailureCause, SpeedResult } from '../../contract/api/speed-result.ts';
import type { Effects, WatchTiming } from '../effects/effects.ts';
import type { Line } from '../line/build-line.ts';
import type { LineIdentity } from '../../contract/line/line-reply.ts';
import { isOurLine } from '../line/is-our-line.ts';
import { abortAfter } from '../effects/link-abort.ts';

export type Probe = {
  /** Known as soon as the headers are in. */
  readonly verdict: Promise<ProbeVerdict>;
  /** The result with the time to show. Undefined if the probe was aborted from outside. */
  readonly result: Promise<SpeedResult | undefined>;
};

export type ProbeSettings = Pick<Effects, 'fetch' | 'now' | 'setTimer'> &
  LineIdentity & { readonly watchTiming: WatchTiming };

/** How many ms the line took, or why it failed. Undefined if the probe was aborted from outside. */
export type ProbeVerdict = number | FailureCause | undefined;

/** Sends the speed check to a line, checks its marker and measures the time. */
export function probeLine(line: Line, settings: ProbeSettings, outer: AbortSignal): Probe {
  const { fetch, now, setTimer, watchTiming } = settings;
  const url = line.address + SPEED_CHECK_PATH;
  const controller = abortAfter(SPEED_CHECK_TIMEOUT_MS, outer, setTimer);
  const timing = watchTiming(url);

  async function ask(): Promise<ProbeVerdict> {
    const startedAt = now();
    try {
      const response = await fetch(url, {
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
        signal: controller.signal,
      });
      const elapsedMs = now() - startedAt;
      // The headers have decided. The body is cancelled unread, whatever its size.
      response.body?.cancel().catch(() => undefined);
      return isOurLine(response, settings) ? elapsedMs : 'wrong-server';
    } catch {
      // fetch does not say why it failed. Who aborted it tells the cause.
      if (outer.aborted) return undefined;
      return controller.signal.aborted ? 'timeout' : 'unreachable';
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
