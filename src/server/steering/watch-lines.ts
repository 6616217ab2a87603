import { setMaxListeners } from 'node:events';
import type { ProbeFault } from '../../contract/console.ts';
import type { SiteConfig } from '../../contract/site-config.ts';
import { buildLineAddress } from '../../engine/build-address.ts';
import { shuffle } from '../../engine/shuffle.ts';
import type { SteeringMetrics } from '../ops/steering-metrics.ts';
import type { Line } from '../site/line-table.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import type { Steering } from './create-steering.ts';
import { findReplyFault } from './find-reply-fault.ts';

/** What a line said to the server's own speed check. */
export type LineReply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** By their names in lower case. */
      readonly headers: Readonly<Record<string, string | undefined>>;
      readonly timeMs: number;
      readonly certificate: LineCertificate | undefined;
    }
  | { readonly kind: 'timeout' | 'unreachable' };

type LineCertificate = {
  readonly validTo: Date;
  /** Why a browser would not trust it. */
  readonly faultCode: string | undefined;
};

/** What the server itself sees of a line. */
export type LineState = {
  readonly host: string;
  readonly isUp: boolean;
  /** Since when it has been so, as far as this server knows, in ms since 1970. */
  readonly since: number;
  readonly checkedAt: number;
  readonly reply: LineReply;
  /** Why it does not count as up. */
  readonly fault: ProbeFault | undefined;
};

export type LineWatchDeps = {
  readonly site: () => Pick<PublishedSite, 'lines' | 'config'>;
  /** Sends a line the speed check. */
  readonly askLine: (address: string, signal: AbortSignal) => Promise<LineReply>;
  /** Ends the probes that are under way. */
  readonly signal: AbortSignal;
  readonly steering: Pick<Steering, 'setDown'>;
  readonly metrics: Pick<SteeringMetrics, 'countProbe' | 'setLineUp' | 'forgetLine'>;
  readonly random: () => number;
  readonly now: () => number;
};

export type LineWatch = {
  /** Probes every line once. To be repeated; it never fails. */
  readonly look: () => Promise<void>;
  /** What was seen of each line, by its id. */
  readonly states: () => ReadonlyMap<string, LineState>;
};

const DAY_MS = 86_400_000;
/** So many lines are probed at once. */
const LANES = 16;

/** Watches the lines from where the server stands, so that those that are down for everyone are handed to nobody. */
export function watchLines(deps: LineWatchDeps): LineWatch {
  const { site, askLine, signal, steering, metrics, random, now } = deps;
  const states = new Map<string, LineState>();
  // Each probe that is under way listens.
  setMaxListeners(LANES, signal);

  return {
    look: async () => {
      const { lines, config } = site();
      forgetOthers(lines.lines);
      // In a new order each time, so that no line is always asked in the same breath as another.
      const queue = shuffle(lines.lines, random);
      const workLane = async (): Promise<void> => {
        for (let line = queue.pop(); line !== undefined && !signal.aborted; line = queue.pop()) {
          await check(line, config.lines);
        }
      };
      await Promise.all(Array.from({ length: LANES }, workLane));
    },
    states: () => states,
  };

  async function check(line: Line, settings: SiteConfig['lines']): Promise<void> {
    let reply = await probe(line, settings);
    if (signal.aborted) return;
    // Once is an accident; it may also have been the one port of five.
    if (findReplyFault(reply, settings)) reply = await probe(line, settings);
    if (signal.aborted) return;
    const fault = findReplyFault(reply, settings);
    const isUp = fault === undefined;
    const last = states.get(line.id);
    const since = last?.isUp === isUp ? last.since : now();
    states.set(line.id, { host: line.host, isUp, since, checkedAt: now(), reply, fault });
    metrics.setLineUp(line.host, isUp);
    if (last?.isUp === isUp) return;
    steering.setDown(new Set([...states].filter(([, state]) => !state.isUp).map(([id]) => id)));
  }

  async function probe({ entry, host }: Line, settings: SiteConfig['lines']): Promise<LineReply> {
    const today = Math.floor(now() / DAY_MS);
    const built = buildLineAddress(entry, { ports: settings.ports, random, today });
    if (built.kind === 'refused') return { kind: 'unreachable' };
    const reply = await askLine(built.address, signal);
    metrics.countProbe(host, findReplyFault(reply, settings) === undefined);
    return reply;
  }

  function forgetOthers(lines: readonly Line[]): void {
    const ids = new Set(lines.map(({ id }) => id));
    for (const [id, { host }] of states) {
      if (ids.has(id)) continue;
      states.delete(id);
      metrics.forgetLine(host);
    }
  }
}
