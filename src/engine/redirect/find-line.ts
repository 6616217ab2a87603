import type { Closing } from '../../contract/api/closing.ts';
import {
  HOSTNAMES_PATIENCE_MS,
  HOSTNAMES_TIMEOUT_MS,
  MAX_ROWS,
  SECOND_BATCH_AFTER_MS,
} from '../../contract/limits.ts';
import { FAVOURITE_HEADER, TICKET_HEADER } from '../../contract/api/headers.ts';
import { type Prober, uniqueLines } from '../probe/create-prober.ts';
import type { Report } from '../portal/create-report.ts';
import type { Effects } from '../effects/effects.ts';
import { fetchCaller } from '../portal/fetch-caller.ts';
import { type Hostnames, fetchHostnames } from '../portal/fetch-hostnames.ts';
import { linkAbort } from '../effects/link-abort.ts';
import type { Line } from '../line/build-line.ts';
import { shuffle } from '../effects/shuffle.ts';
import { startRace } from '../probe/start-race.ts';
import { wait } from '../effects/wait.ts';

export type FoundLine =
  | {
      readonly kind: 'found';
      readonly line: Line;
      /**
       * A fallback host may win while the hostname call is still open. Resolves with the reason if that call then says that
       * this visitor gets no lines: the navigation must be stopped, if it still can be.
       */
      readonly revokedBy: Promise<Closing | undefined>;
    }
  | { readonly kind: 'none' | Closing };

export type FindLineSettings = Pick<Effects, 'fetch' | 'setTimer' | 'random'> & {
  readonly prober: Prober;
  readonly fallback: readonly string[];
  /** The base URL of the caller's-address service. Empty for our own server. */
  readonly callerService: string;
  readonly report?: Report;
  /** Called with the portal's answer, also if that comes after the race. */
  readonly onHosts?: (answer: Hostnames) => unknown;
  /** Called with the line that the server believes will win, after the probes have been sent. */
  readonly fetchAhead?: (line: Line) => void;
  /** Asks for the links config together with the first call. No probe is sent before it has settled. */
  readonly askLinks: (signal: AbortSignal) => Promise<unknown>;
  readonly signal: AbortSignal;
};

/**
 * Finds the fastest line: asks for the caller's address, then for hostnames, then probes. Fallback hosts join if that
 * is slow.
 */
export async function findLine(settings: FindLineSettings): Promise<FoundLine> {
  const { prober, fallback, callerService, report, fetchAhead, askLinks, setTimer, random, signal } =
    settings;
  const backups = fallback.map((host) => prober.lineOf({ host }));
  const search = linkAbort(signal);
  const race = startRace(prober, search.signal);
  const pause = (delayMs: number) => wait(delayMs, race.signal, setTimer);

  async function raceListed(): Promise<void> {
    // Undefined if a fallback host wins first, because that ends the pause. Without a winner the call always ends first:
    // its own timeout is as long as the pause.
    const answer = await Promise.race([asked, pause(HOSTNAMES_TIMEOUT_MS)]);
    if (answer?.kind === 'listed') {
      const lines = answer.hosts.map(prober.lineOf);
      report?.open(answer.headers?.get(TICKET_HEADER), [...lines, ...backups]);
      const racing = raceLines(shuffle(lines, random));
      await linksSettled;
      const favourite = lines[parseInt(answer.headers?.get(FAVOURITE_HEADER) ?? '')];
      if (favourite && !race.signal.aborted) fetchAhead?.(favourite);
      await racing;
    } else search.abort();
  }

  async function raceFallback(): Promise<void> {
    const isLate = await Promise.race([
      asked.then(() => false),
      pause(HOSTNAMES_PATIENCE_MS).then(() => true),
    ]);
    await linksSettled;
    // If the list is empty, or all of its lines have failed, there is nothing to wait for.
    if (!isLate) await Promise.race([listed, pause(SECOND_BATCH_AFTER_MS)]);
    await raceLines(backups);
  }

  async function raceLines(lines: readonly (Line | undefined)[]): Promise<void> {
    await linksSettled;
    await race.add(uniqueLines(lines).slice(0, MAX_ROWS));
  }

  // The caller's address comes first: if only one connection is open, that call gets it.
  const calling = fetchCaller(callerService, race.signal, settings);
  const linksSettled = askLinks(race.signal);
  // The race's signal must not abort this call: a refusal counts even after the race.
  const asked = fetchHostnames(await calling, signal, settings);
  const listed = raceListed();
  void asked.then(settings.onHosts);
  await Promise.all([listed, raceFallback()]);
  search.abort();
  const revokedBy = asked.then(({ kind }) => (kind === 'listed' ? undefined : kind));
  const line = race.winner();
  if (line) return { kind: 'found', line, revokedBy };
  return { kind: (await revokedBy) ?? 'none' };
}
