import type { HostEntry } from '../contract/host-entry.ts';
import { buildLineAddress } from './build-address.ts';
import type { Effects } from './effects.ts';
import { type Line, type Probe, type ProbeSettings, probeLine } from './probe-line.ts';
import type { ResultCache } from './result-cache.ts';

export type Prober = {
  /** The line behind a host entry; undefined where it is refused. Its address is drawn once and kept. */
  readonly lineOf: (entry: HostEntry) => Line | undefined;
  /** A result of the last 10 seconds, a probe that is already under way, or a new one. */
  readonly probe: (line: Line, signal: AbortSignal) => Probe;
  /** The results of the last 10 seconds. */
  readonly cache: Pick<ResultCache, 'get'>;
  /** Forgets every result, so that the next probe is a new one. */
  readonly clear: () => void;
};

export type ProberSettings = ProbeSettings &
  Pick<Effects, 'random'> & {
    readonly cache: ResultCache;
    readonly ports: readonly number[];
    /** Days since 1970-01-01 UTC. */
    readonly today: () => number;
    /** Told of every host that is dropped. */
    readonly onRefused: (host: string, reason: string) => void;
    /** Told of every probe that leaves. */
    readonly onProbe?: (host: string, result: Probe['result']) => void;
  };

type OpenProbe = { readonly probe: Probe; readonly controller: AbortController; askers: number };

/** Turns host entries into lines and lines into results, asking no line twice for the same answer. */
export function createProber(settings: ProberSettings): Prober {
  const { cache, ports, random, today, onRefused } = settings;
  const lines = new Map<string, Line>();
  let open = new Map<string, OpenProbe>();

  function startProbe(line: Line): OpenProbe {
    const controller = new AbortController();
    const probe = probeLine(line, settings, controller.signal);
    settings.onProbe?.(line.host, probe.result);
    const started = { probe, controller, askers: 0 };
    void keepResult(line, started, open.set(line.host, started));
    return started;
  }

  async function keepResult(line: Line, started: OpenProbe, opened: typeof open): Promise<void> {
    const result = await started.probe.result;
    if (opened.get(line.host) === started) opened.delete(line.host);
    // After a clear, an answer to an older question is not kept.
    if (result && opened === open) cache.put(line.address, result);
  }

  return {
    lineOf(entry) {
      const host = typeof entry === 'string' ? entry : entry.host;
      let address = (lines.get(host) ?? cache.get(host))?.address;
      if (address === undefined) {
        const built = buildLineAddress(entry, { ports, random, today: today() });
        if (built.kind === 'refused') {
          onRefused(host, built.reason);
          return undefined;
        }
        ({ address } = built);
      }
      const line = { host, address };
      lines.set(host, line);
      return line;
    },
    probe(line, signal) {
      const cached = cache.get(line.host);
      if (cached?.address === line.address)
        return { isValid: Promise.resolve(!cached.cause), result: Promise.resolve(cached) };
      const opened = open;
      const asked = opened.get(line.host) ?? startProbe(line);
      asked.askers += 1;
      const leave = () => {
        asked.askers -= 1;
        if (asked.askers > 0) return;
        if (opened.get(line.host) === asked) opened.delete(line.host);
        asked.controller.abort();
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      return asked.probe;
    },
    clear() {
      cache.clear();
      open = new Map();
    },
    cache,
  };
}
