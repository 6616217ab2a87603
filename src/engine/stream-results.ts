import type { SpeedResult } from '../contract/speed-result.ts';
import { linkAbort } from './link-abort.ts';
import type { Line } from './probe-line.ts';
import type { Prober } from './create-prober.ts';

/** Probes all lines at once and yields each result as it arrives. Leaving the loop aborts what is still open. */
export async function* streamResults(
  lines: readonly Line[],
  probe: Prober['probe'],
  outer: AbortSignal,
): AsyncGenerator<SpeedResult, void, void> {
  const controller = linkAbort(outer);
  const open = new Map(
    lines.map((line) => [line, probe(line, controller.signal).result.then((result) => ({ line, result }))]),
  );
  try {
    while (open.size > 0) {
      const { line, result } = await Promise.race(open.values());
      open.delete(line);
      if (result) yield result;
    }
  } finally {
    controller.abort();
    await Promise.all(open.values());
  }
}
