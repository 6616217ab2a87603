import { MINUTE_MS } from '../../src/contract/time-units.ts';
import type { World } from '../steering/create-world.ts';

/** A line is out for everyone, in a country, or in one network. */
export type OutageKind = 'host' | 'country' | 'network';

/** An outage of five minutes or more that at least twelve visitors met. */
export type MetOutage = {
  readonly kind: OutageKind;
  /** How many pages told of it in all. */
  readonly told: number;
  /** From the first visitor who met the outage until four had met it, and until the pages of four had told of it. */
  readonly fourMetMs: number;
  readonly fourToldMs: number;
  /** Undefined if there was no incident. */
  readonly notice: Notice | undefined;
};

/** When an outage became an incident. */
type Notice = {
  /** From the beginning of the outage, and from the first visitor who met it. */
  readonly afterMs: number;
  readonly afterMetMs: number;
  /** Until then: visitors who did not reach the line, and those of them whose page told that it failed. */
  readonly met: number;
  readonly told: number;
};

export type OutageTracker = {
  /** Notes which outages begin and end now. */
  readonly advance: (now: number) => void;
  /** A visitor has not reached a line. Their page tells of it, or they have left before it could. */
  readonly meet: (
    network: number,
    line: number,
    met: { readonly isTold: boolean; readonly now: number },
  ) => void;
  /** An incident names this place: a network, a country, or nothing for everyone. Returns whether it is true. */
  readonly notice: (place: string, line: number, now: number) => boolean;
  readonly list: (end: number) => readonly MetOutage[];
};

/** A stretch in which nobody, or nobody of a country or network, can reach a line. */
type Outage = {
  readonly kind: OutageKind;
  readonly startedAt: number;
  /** When visitors met it, and when pages told of it: the first four, and how many there were. */
  readonly metAt: number[];
  readonly toldAt: number[];
  met: number;
  told: number;
  notice: Notice | undefined;
};

/** An outage counts if it lasts five minutes, and twelve visitors meet it. */
const MIN_OUTAGE_MS = 5 * MINUTE_MS;
const MIN_VISITORS = 12;
/**
 * An incident may name an outage that ended up to 40 minutes ago, because few visitors are sent there who could report
 * that it is over.
 */
const STALE_MS = 40 * MINUTE_MS;
/** A line is down, or degraded, if at least a third of all networks has lost it. */
const MIN_PART_OF_ALL = 1 / 3;
/** How many times are kept of each outage. */
const TIMES = 4;

/** Keeps what really happened: each outage of the world's script, from when to when, and who met it. */
export function trackOutages(world: World): OutageTracker {
  const open = new Map<string, Outage>();
  const over: (Outage & { readonly endedAt: number })[] = [];
  const networks = Array.from({ length: world.networks }, (_, network) => network);
  /** When each network last could not reach each line. */
  const lostAt = new Float64Array(world.networks * world.lines).fill(-Infinity);
  const keys = new Map<number, string>();

  return {
    advance: (now) => {
      const current = new Set<string>();
      for (let line = 0; line < world.lines; line += 1) {
        for (const network of networks) {
          const key = findKey(network, line);
          if (key === undefined) continue;
          lostAt[network * world.lines + line] = now;
          current.add(key);
          if (!open.has(key)) {
            open.set(key, {
              kind: world.findOutage(network, line) ?? 'network',
              startedAt: now,
              metAt: [],
              toldAt: [],
              met: 0,
              told: 0,
              notice: undefined,
            });
          }
        }
      }
      for (const [key, outage] of open) {
        if (current.has(key)) continue;
        open.delete(key);
        over.push({ ...outage, endedAt: now });
      }
    },
    meet: (network, line, { isTold, now }) => {
      const outage = open.get(findKey(network, line) ?? '');
      if (outage === undefined) return;
      outage.met += 1;
      if (outage.metAt.length < TIMES) outage.metAt.push(now);
      if (!isTold) return;
      outage.told += 1;
      if (outage.toldAt.length < TIMES) outage.toldAt.push(now);
    },
    notice: (place, line, now) => {
      const [country = '', name = ''] = place.split('/');
      const there = name === '' ? networks.filter((each) => isIn(each, country)) : [Number(name.slice(2))];
      const lost = there.filter((network) => (lostAt[network * world.lines + line] ?? 0) > now - STALE_MS);
      // A network is lost or not; a country is if several of its networks are, and a line if many networks are.
      const enough = country === '' ? there.length * MIN_PART_OF_ALL : Math.min(2, there.length);
      const isTrueNow = lost.filter((network) => findKey(network, line) !== undefined).length >= enough;
      for (const network of isTrueNow ? lost : []) {
        const outage = open.get(findKey(network, line) ?? '');
        if (outage !== undefined && outage.met > 0) outage.notice ??= describeNotice(outage, now);
      }
      return lost.length >= enough;
    },
    list: (end) => {
      for (const outage of open.values()) over.push({ ...outage, endedAt: end });
      return over
        .filter(({ startedAt, endedAt, met }) => endedAt - startedAt >= MIN_OUTAGE_MS && met >= MIN_VISITORS)
        .map(({ kind, told, notice, metAt, toldAt }) => {
          const [firstMetAt = end] = metAt;
          const waitForLast = (times: readonly number[]): number => (times[TIMES - 1] ?? end) - firstMetAt;
          return { kind, told, notice, fourMetMs: waitForLast(metAt), fourToldMs: waitForLast(toldAt) };
        });
    },
  };

  function isIn(network: number, country: string): boolean {
    return country === '' || `C${world.countryOf(network)}` === country;
  }

  /** Made once for each: this is asked a hundred million times a day. */
  function findKey(network: number, line: number): string | undefined {
    const outage = world.findOutage(network, line);
    if (outage === undefined) return undefined;
    const place = { host: 0, country: 1 + world.countryOf(network), network: 1_000 + network }[outage];
    const number = place * world.lines + line;
    let key = keys.get(number);
    if (key === undefined) keys.set(number, (key = `${outage} ${place} ${line}`));
    return key;
  }
}

function describeNotice({ startedAt, metAt, met, told }: Outage, now: number): Notice {
  return { afterMs: now - startedAt, afterMetMs: Math.max(0, now - (metAt[0] ?? now)), met, told };
}
