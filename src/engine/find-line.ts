import type { HostEntry } from '../contract/host-entry.ts';
import { HOSTNAMES_PATIENCE_MS, MAX_ROWS, SECOND_BATCH_AFTER_MS } from '../contract/limits.ts';
import type { Prober } from './create-prober.ts';
import type { Report } from './create-report.ts';
import type { Effects } from './effects.ts';
import { fetchCaller } from './fetch-caller.ts';
import { fetchHostnames } from './fetch-hostnames.ts';
import { linkAbort } from './link-abort.ts';
import type { Line } from './probe-line.ts';
import { shuffle } from './shuffle.ts';
import { startRace } from './start-race.ts';
import { wait } from './wait.ts';

export type FoundLine =
  | { readonly kind: 'found'; readonly line: Line }
  | { readonly kind: 'none' }
  | { readonly kind: 'restricted' };

export type FindLineSettings = Pick<Effects, 'fetch' | 'setTimer' | 'random'> & {
  readonly prober: Prober;
  readonly fallback: readonly string[];
  /** The base URL of the caller's-address service; empty for our own server. */
  readonly callerService: string;
  readonly report?: Report;
  /** Asks for the links config, together with the first call. No probe leaves before it has settled, loaded or failed. */
  readonly askLinks: (signal: AbortSignal) => Promise<unknown>;
  readonly signal: AbortSignal;
};

/** Finds the fastest line: caller's address, hostnames, probes. The fallback hosts join when the rest is slow. */
export async function findLine(settings: FindLineSettings): Promise<FoundLine> {
  const { prober, fallback, callerService, askLinks, setTimer, random, signal } = settings;
  const search = linkAbort(signal);
  const race = startRace(prober, search.signal);
  const pause = (delayMs: number) => wait(delayMs, race.signal, setTimer);
  let isRestricted = false;

  async function raceListed(): Promise<void> {
    const answer = await asked;
    settings.report?.open(answer);
    if (answer.kind === 'listed') return raceHosts(shuffle(answer.hosts, random).slice(0, MAX_ROWS));
    isRestricted = true;
    search.abort();
  }

  async function raceFallback(): Promise<void> {
    const isLate = await Promise.race([
      asked.then(() => false),
      pause(HOSTNAMES_PATIENCE_MS).then(() => true),
    ]);
    await linksSettled;
    // An empty list, or one of which all have failed by now, has nothing left to wait for.
    if (!isLate) await Promise.race([listed, pause(SECOND_BATCH_AFTER_MS)]);
    await raceHosts(fallback);
  }

  async function raceHosts(hosts: readonly HostEntry[]): Promise<void> {
    await linksSettled;
    await race.add(hosts.map(prober.lineOf).filter((line) => line !== undefined));
  }

  // The caller's address first: where only one connection is open, it takes it.
  const calling = fetchCaller(callerService, race.signal, settings);
  const linksSettled = askLinks(race.signal);
  const asked = fetchHostnames(await calling, race.signal, settings);
  const listed = raceListed();
  await Promise.all([listed, raceFallback()]);
  search.abort();
  const line = race.winner();
  if (isRestricted) return { kind: 'restricted' };
  return line ? { kind: 'found', line } : { kind: 'none' };
}
