import { MINUTE_MS } from '../../src/contract/time-units.ts';
import type { World } from '../steering/create-world.ts';

/** A line is out for everyone, in a country, or in one network. */
export type OutageKind = 'host' | 'country' | 'network';

/** An outage that at least twelve visitors met. */
export type MetOutage = {
  readonly kind: OutageKind;
  /** How many visitors met it, and how many pages told of it in all. */
  readonly met: number;
  readonly told: number;
  /** From its beginning until the first visitor met it. */
  readonly firstMetMs: number;
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
  /** A visitor has not reached a line. Their page tells of it, or it does not, because they left or the report was lost. */
  readonly meet: (
    network: number,
    line: number,
    met: { readonly isTold: boolean; readonly now: number },
  ) => void;
  /** An incident names this place: a network, a country, or nothing for everyone. Returns whether it is true. */
  readonly notice: (place: string, line: number, now: number) => boolean;
  /** Grows when an outage of the line begins or ends, or is met for the first time: incidents about it must be noticed anew. */
  readonly versionOf: (line: number) => number;
  readonly list: (end: number) => readonly MetOutage[];
};

/** A stretch in which nobody, or nobody of a country or network, can reach a line. */
type Outage = {
  readonly kind: OutageKind;
  readonly startedAt: number;
  /** When visitors met it, and when pages told of it: the first twelve, and how many there were. */
  readonly metAt: number[];
  readonly toldAt: number[];
  met: number;
  told: number;
  notice: Notice | undefined;
};

/** An outage that is over, or that the end of the day cut off. */
type PastOutage = { readonly outage: Outage; readonly isCut: boolean };

/** An outage counts if twelve visitors meet it. */
export const MIN_MET = 12;
/** At the end of a day there must have been time to notice: the twelfth visitor came five minutes before, or earlier. */
const MIN_TIME_MS = 5 * MINUTE_MS;
/**
 * An incident may name an outage that ended up to 40 minutes ago, because few visitors are sent there who could report
 * that it is over.
 */
const STALE_MS = 40 * MINUTE_MS;
/** A line is down, or degraded, if at least a third of all networks has lost it. */
const MIN_PART_OF_ALL = 1 / 3;
/** From the fourth visitor or page on, an outage could be known. */
const FOURTH = 3;

/** Keeps what really happened: each outage of the world's script, from when to when, and who met it. */
export function trackOutages(world: World): OutageTracker {
  const openByLine = Array.from({ length: world.lines }, () => new Map<string, Outage>());
  const versions = new Uint32Array(world.lines);
  const over: PastOutage[] = [];
  const networks = Array.from({ length: world.networks }, (_, network) => network);
  const listNetworks = createPlaceReader(world, networks);
  /** When each network last could not reach each line: `Infinity` if it cannot now. */
  const lostAt = new Float64Array(world.networks * world.lines).fill(-Infinity);

  return {
    advance: (now) => {
      for (const line of world.takeChanged()) if (line < world.lines) look(line, now);
    },
    meet: (network, line, { isTold, now }) => {
      const outage = openByLine[line]?.get(findKey(network, line) ?? '');
      if (outage === undefined) return;
      if (outage.met === 0) versions[line] = versionOf(line) + 1;
      countVisitor(outage, { isTold, now });
    },
    notice: (place, line, now) => {
      const there = listNetworks(place);
      const lost = there.filter((network) => (lostAt[network * world.lines + line] ?? 0) > now - STALE_MS);
      // A network is lost or not; a country is if several of its networks are, and a line if many networks are.
      const enough = place === '' ? there.length * MIN_PART_OF_ALL : Math.min(2, there.length);
      const lostNow = lost.filter((network) => lostAt[network * world.lines + line] === Infinity);
      for (const network of lostNow.length >= enough ? lostNow : []) {
        const outage = openByLine[line]?.get(findKey(network, line) ?? '');
        if (outage !== undefined && outage.met > 0) outage.notice ??= describeNotice(outage, now);
      }
      return lost.length >= enough;
    },
    versionOf,
    list: (end) => {
      const atEnd = openByLine.flatMap((open) =>
        [...open.values()].map((outage) => ({ outage, isCut: true })),
      );
      return [...over, ...atEnd]
        .filter((each) => isToBeNoticed(each, end))
        .map(({ outage }) => describeMet(outage, end));
    },
  };

  function look(line: number, now: number): void {
    const open = openByLine[line] ?? new Map<string, Outage>();
    const current = new Set<string>();
    for (const network of networks) {
      const place = network * world.lines + line;
      const key = findKey(network, line);
      if (key === undefined) {
        if (lostAt[place] === Infinity) lostAt[place] = now;
        continue;
      }
      lostAt[place] = Infinity;
      current.add(key);
      if (open.has(key)) continue;
      const kind = world.findOutage(network, line) ?? 'network';
      open.set(key, { kind, startedAt: now, metAt: [], toldAt: [], met: 0, told: 0, notice: undefined });
    }
    for (const [key, outage] of open) {
      if (current.has(key)) continue;
      open.delete(key);
      over.push({ outage, isCut: false });
    }
    versions[line] = versionOf(line) + 1;
  }

  function versionOf(line: number): number {
    return versions[line] ?? 0;
  }

  function findKey(network: number, line: number): string | undefined {
    const outage = world.findOutage(network, line);
    if (outage === undefined) return undefined;
    const place = { host: 0, country: world.countryOf(network), network }[outage];
    return `${outage} ${place}`;
  }
}

/** Lists the networks of a place, and remembers them. */
function createPlaceReader(world: World, networks: readonly number[]): (place: string) => readonly number[] {
  const byPlace = new Map<string, readonly number[]>();
  return (place) => {
    let found = byPlace.get(place);
    if (found !== undefined) return found;
    const [country = '', name = ''] = place.split('/');
    const isThere = (network: number): boolean =>
      country === '' || `C${world.countryOf(network)}` === country;
    found = name === '' ? networks.filter(isThere) : [Number(name.slice(2))];
    byPlace.set(place, found);
    return found;
  };
}

function countVisitor(
  outage: Outage,
  { isTold, now }: { readonly isTold: boolean; readonly now: number },
): void {
  outage.met += 1;
  if (outage.metAt.length < MIN_MET) outage.metAt.push(now);
  if (!isTold) return;
  outage.told += 1;
  if (outage.toldAt.length < MIN_MET) outage.toldAt.push(now);
}

function isToBeNoticed({ outage: { metAt, notice }, isCut }: PastOutage, end: number): boolean {
  const enoughAt = metAt[MIN_MET - 1];
  if (enoughAt === undefined) return false;
  return notice !== undefined || !isCut || enoughAt <= end - MIN_TIME_MS;
}

function describeMet({ kind, met, told, notice, startedAt, metAt, toldAt }: Outage, end: number): MetOutage {
  const [firstMetAt = end] = metAt;
  const waitForFourth = (times: readonly number[]): number => (times[FOURTH] ?? end) - firstMetAt;
  return {
    kind,
    met,
    told,
    notice,
    firstMetMs: firstMetAt - startedAt,
    fourMetMs: waitForFourth(metAt),
    fourToldMs: waitForFourth(toldAt),
  };
}

function describeNotice({ startedAt, metAt, met, told }: Outage, now: number): Notice {
  return { afterMs: now - startedAt, afterMetMs: Math.max(0, now - (metAt[0] ?? now)), met, told };
}
