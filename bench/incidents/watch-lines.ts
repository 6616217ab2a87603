import { setImmediate as letOthersWork } from 'node:timers/promises';
import { pino } from 'pino';
import type { LineReply } from '../../src/contract/line/line-reply.ts';
import type { SiteConfig } from '../../src/contract/site/site-config.ts';
import { DEFAULT_CONFIRM } from '../../src/contract/site/alert-settings.ts';
import type { AskLine } from '../../src/server/lines/create-line-asker.ts';
import { type LineWatch, createLineWatch } from '../../src/server/lines/create-line-watch.ts';
import { createLineTable } from '../../src/server/site/create-line-table.ts';
import type { Steering } from '../../src/server/learning/create-steering.ts';

export type WatchedWorld = {
  readonly hosts: readonly string[];
  readonly isUp: (host: string) => boolean;
  readonly setDown: Steering['setDown'];
  readonly random: () => number;
};

/** The product's own watch, in simulated time. */
export type SimulatedWatch = Pick<LineWatch, 'states' | 'cutOff'> & {
  /** Lets the time of the world pass, in steps of at most five seconds. */
  readonly passTo: (now: number) => Promise<void>;
  /** By host: the id that the watch has for it. */
  readonly idOf: (host: string) => string;
  /** Ends the requests that still wait: their limits would keep the process. */
  readonly close: () => void;
};

const PROBE_EVERY_MS = 30_000;
/** A dead line swallows requests: the watch waits this long for each. */
const TIMEOUT_MS = 5_000;
const ANSWER_MS = 100;
/** Only the simulated timeout ends a request. */
const NEVER_MS = 2 ** 31 - 1;
const IDENTITY = { marker: 'bench', markerHeader: 'server' };
const ANSWER: LineReply = {
  kind: 'answer',
  status: 200,
  headers: {
    server: IDENTITY.marker,
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Server',
  },
  timeMs: ANSWER_MS,
  certificate: undefined,
};

/** Starts the watch of a server that asks every line each 30 s, and again as `alerts.confirm` says by default. */
export function watchLines({ hosts, isUp, setDown, random }: WatchedWorld): SimulatedWatch {
  const closing = new AbortController();
  let time = 0;
  let probeAt = 0;
  const waiting: { readonly at: number; readonly resolve: () => void }[] = [];
  // As much of a site as the watch reads.
  const lines = { ...IDENTITY, hosts: hosts.map((host) => ({ host, noWWW: true })), fallback: [], ports: [] };
  const config = { lines, publicUrl: '' } as unknown as SiteConfig;
  const table = createLineTable(config.lines);
  const ids = new Map(table.lines.map(({ host, id }) => [host, id]));
  const askLine: AskLine = async (address) => {
    const isAnswered = isUp(new URL(address).hostname);
    if (isAnswered) return ANSWER;
    await new Promise<void>((resolve) => void waiting.push({ at: time + TIMEOUT_MS, resolve }));
    return { kind: 'timeout' };
  };
  const watch = createLineWatch({
    site: () => ({ lines: table, config }),
    askLine,
    deadlineMs: NEVER_MS,
    signal: closing.signal,
    steering: { setDown },
    metrics: { countProbe: () => undefined, setLineState: () => undefined, forgetLine: () => undefined },
    confirmation: () => DEFAULT_CONFIRM,
    random,
    log: pino({ level: 'silent' }),
    now: () => time,
  });
  return {
    states: watch.states,
    cutOff: watch.cutOff,
    idOf: (host) => ids.get(host) ?? '',
    close: () => {
      closing.abort();
      for (const { resolve } of waiting.splice(0)) resolve();
    },
    passTo: async (now) => {
      time = now;
      for (const { resolve } of waiting.splice(0, findDue(waiting, now))) resolve();
      await letOthersWork();
      if (now >= probeAt) {
        probeAt = now + PROBE_EVERY_MS;
        void watch.probeLines();
      } else void watch.recheckLines();
      await letOthersWork();
    },
  };
}

/** How many are due. They wait in the order of their times. */
function findDue(waiting: readonly { readonly at: number }[], now: number): number {
  const first = waiting.findIndex(({ at }) => at > now);
  return first === -1 ? waiting.length : first;
}
