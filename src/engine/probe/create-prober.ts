import type { HostEntry } from '../../contract/api/host-entry.ts';
import { type Line, buildLine } from '../line/build-line.ts';
import type { Effects, Visibility } from '../effects/effects.ts';
import { type Probe, type ProbeSettings, probeLine } from './probe-line.ts';
import type { ResultCache } from './result-cache.ts';

export type Prober = {
  /** The line behind a host entry; undefined where it is refused. It is always the same object for the same host. */
  readonly lineOf: (entry: HostEntry) => Line | undefined;
  /** A result of the last 10 seconds, or a new probe. There is no result of what was measured unseen. */
  readonly probe: (line: Line, signal: AbortSignal) => Probe;
  /** The results of the last 10 seconds. */
  readonly cache: Pick<ResultCache, 'get'>;
  /** Forgets every result, that of a probe under way too, so that the next probe is a new one. */
  readonly clear: () => void;
};

export type ProberSettings = ProbeSettings &
  Pick<Effects, 'random'> & {
    readonly cache: ResultCache;
    readonly visibility: Visibility;
    readonly ports: readonly number[];
    /** Days since 1970-01-01 UTC. */
    readonly today: () => number;
    /** Told of every host entry that is dropped. */
    readonly onRefused: (entry: unknown, reason: string) => void;
    /** Told of every probe that leaves while the page is seen. */
    readonly onProbe?: (host: string, result: Probe['result']) => void;
  };

/** Turns host entries into lines and lines into results, asking no line again within 10 seconds. */
export function createProber(settings: ProberSettings): Prober {
  const { cache, visibility, today, onRefused, onProbe } = settings;
  const lines = new Map<string, Line>();
  // Counts what makes the results of probes under way worthless.
  let era = 0;
  visibility.subscribe(() => visibility.isHidden() && (era += 1));

  return {
    lineOf(entry) {
      const built = buildLine(entry, { ...settings, today: today() });
      if ('reason' in built) {
        onRefused(entry.host, built.reason);
        return undefined;
      }
      // A result of the last 10 seconds has the address that was drawn for it: it can be used at that one only.
      const line = lines.get(built.host) ?? cache.get(built.host) ?? built;
      lines.set(built.host, line);
      return line;
    },
    probe(line, signal) {
      const cached = cache.get(line.host);
      if (cached?.address === line.address)
        return { isValid: Promise.resolve(!cached.cause), result: Promise.resolve(cached) };
      // Browsers slow hidden pages down: what is measured unseen, in whole or in part, has a verdict and no time.
      const startedIn = visibility.isHidden() ? undefined : era;
      const probe = probeLine(line, settings, signal);
      const result = probe.result.then((found) => {
        if (startedIn !== era) return undefined;
        if (found) cache.put(line.address, found);
        return found;
      });
      if (startedIn !== undefined) onProbe?.(line.host, result);
      return { ...probe, result };
    },
    clear() {
      cache.clear();
      era += 1;
    },
    cache,
  };
}

/** The different ones of these lines, in their order. Entries that were refused are left out. */
export function uniqueLines(lines: readonly (Line | undefined)[]): readonly Line[] {
  return [...new Set(lines)].filter((line) => line !== undefined);
}
