import type { HostEntry } from '../../contract/api/host-entry.ts';
import { type Line, buildLine } from '../line/build-line.ts';
import type { Effects, Visibility } from '../effects/effects.ts';
import { type Probe, type ProbeSettings, probeLine } from './probe-line.ts';
import type { ResultCache } from './create-result-cache.ts';

export type Prober = {
  /** Builds the line of a host entry, once for each host. Undefined if the entry is refused. */
  readonly lineOf: (entry: HostEntry) => Line | undefined;
  /**
   * Gives a result of the last 10 seconds, or sends a probe. A probe of a hidden page has a verdict, but no result. `onDoubt` is
   * called if it failed and the page asks whether anybody else answers there.
   */
  readonly probe: (line: Line, signal: AbortSignal, onDoubt?: () => void) => Probe;
  /** The results of the last 10 seconds. */
  readonly cache: Pick<ResultCache, 'get'>;
  /** Forgets every result, also those of probes under way. */
  readonly clear: () => void;
};

export type ProberSettings = Omit<ProbeSettings, 'onDoubt'> &
  Pick<Effects, 'random'> & {
    readonly cache: ResultCache;
    readonly visibility: Visibility;
    readonly ports: readonly number[];
    /** Days since 1970-01-01 UTC. */
    readonly today: () => number;
    /** Called for every host entry that is dropped. */
    readonly onRefused: (entry: unknown, reason: string) => void;
    /** Called for every probe that is sent while the page is visible. */
    readonly onProbe?: (host: string, result: Probe['result']) => void;
  };

/** Builds lines and probes them. It asks no line twice within 10 seconds. */
export function createProber(settings: ProberSettings): Prober {
  const { cache, visibility, today, onRefused, onProbe, askAnybody } = settings;
  const lines = new Map<string, Line>();
  // Grows when the page is hidden and when results are cleared. Both make the results of probes under way useless.
  let era = 0;
  visibility.subscribe(() => visibility.isHidden() && (era += 1));

  return {
    lineOf(entry) {
      const built = buildLine(entry, { ...settings, today: today() });
      if ('reason' in built) {
        onRefused(entry.host, built.reason);
        return undefined;
      }
      // A cached result counts only for the address that was probed, so the line takes that address.
      const line = lines.get(built.host) ?? cache.get(built.host) ?? built;
      lines.set(built.host, line);
      return line;
    },
    probe(line, signal, onDoubt) {
      const cached = cache.get(line.host);
      if (cached?.address === line.address)
        return { result: Promise.resolve(cached), verdict: Promise.resolve(cached.cause ?? cached.time) };
      // Browsers slow hidden pages down. A probe of a page that was hidden for a moment has a verdict, but no usable
      // time.
      const startedIn = visibility.isHidden() ? undefined : era;
      const probe = probeLine(line, { ...settings, onDoubt }, signal);
      const result = probe.result.then((found) => {
        if (startedIn !== era) return undefined;
        // `/r` does not ask whether anybody answers, so its `unreachable` may be another server. It is not cached for the next
        // page.
        if (found && (askAnybody || found.cause !== 'unreachable')) cache.put(line.address, found);
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

/** Removes duplicates and refused entries. */
export function uniqueLines(lines: readonly (Line | undefined)[]): readonly Line[] {
  return [...new Set(lines)].filter((line) => line !== undefined);
}
