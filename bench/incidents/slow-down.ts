import { HOUR_MS, MINUTE_MS } from '../../src/contract/time-units.ts';
import type { IncidentKind } from '../../src/contract/incidents.ts';
import type { World } from '../steering/create-world.ts';

/** A line that takes `times` as long as before: everywhere, in a country, or in a network. */
export type SlowdownKind = { readonly times: number; readonly where: 'everywhere' | 'country' | 'network' };

export type Slowdown = SlowdownKind & {
  /** From its beginning to the first incident that names the line. Undefined if there was none. */
  readonly noticeMs: number | undefined;
  /** What that incident was. */
  readonly kind: IncidentKind | undefined;
};

export type Slowdowns = {
  /** A visitor has reached a line. */
  readonly reach: (network: number, line: number) => void;
  readonly advance: (now: number) => void;
  /** An incident names the line in a place. Returns whether it is about a line that is slow, or was lately. */
  readonly notice: (
    place: string,
    line: number,
    what: { readonly kind: IncidentKind; readonly now: number },
  ) => boolean;
  readonly list: () => readonly Slowdown[];
};

/** Each lasts an hour. The line is the one that most visitors of the place reached in the hour before. */
const PLAN: readonly (SlowdownKind & { readonly atHour: number })[] = [
  { atHour: 3, times: 3, where: 'everywhere' },
  { atHour: 6, times: 10, where: 'everywhere' },
  { atHour: 9, times: 3, where: 'country' },
  { atHour: 14, times: 10, where: 'country' },
  { atHour: 17, times: 3, where: 'network' },
  { atHour: 20, times: 10, where: 'network' },
];
const LASTS_MS = HOUR_MS;
/** As for outages: few visitors are sent there who could report that it is over. */
const STALE_MS = 40 * MINUTE_MS;

type Running = SlowdownKind & {
  readonly line: number;
  readonly startedAt: number;
  readonly isThere: (network: number) => boolean;
  notice: { readonly afterMs: number; readonly kind: IncidentKind } | undefined;
};

/** Slows lines of a world down, one after the other, and notes when an incident says so. */
export function slowDown(world: World): Slowdowns {
  const begun: Running[] = [];
  let reached = new Map<number, number>();
  let countedFrom = 0;
  /** The largest network comes first in a world, and its country is the largest, or nearly. */
  const isInCountry = (network: number): boolean => world.countryOf(network) === world.countryOf(0);
  const isIn = { everywhere: () => true, country: isInCountry, network: (network: number) => network === 0 };

  return {
    reach: (network, line) => {
      const next = PLAN[begun.length];
      if (next && isIn[next.where](network)) reached.set(line, (reached.get(line) ?? 0) + 1);
    },
    advance: (now) => {
      const last = begun.at(-1);
      if (last && now - last.startedAt >= LASTS_MS) world.slow(last.line, 1, last.isThere);
      const next = PLAN[begun.length];
      if (now - countedFrom >= HOUR_MS) {
        countedFrom = now;
        if (next === undefined || now < next.atHour * HOUR_MS) reached = new Map();
      }
      if (next === undefined || now < next.atHour * HOUR_MS) return;
      const [line] = [...reached].toSorted(([, one], [, other]) => other - one)[0] ?? [0];
      const { times, where } = next;
      world.slow(line, times, isIn[where]);
      begun.push({ times, where, line, startedAt: now, isThere: isIn[where], notice: undefined });
      reached = new Map();
    },
    notice: (place, line, { kind, now }) => {
      const slow = begun.find(
        (each) => each.line === line && now - each.startedAt < LASTS_MS + STALE_MS && isPartOf(place, each),
      );
      if (slow === undefined) return false;
      if (now - slow.startedAt < LASTS_MS) slow.notice ??= { afterMs: now - slow.startedAt, kind };
      return true;
    },
    list: () =>
      begun.map(({ times, where, notice }) => ({
        times,
        where,
        noticeMs: notice?.afterMs,
        kind: notice?.kind,
      })),
  };

  function isPartOf(place: string, { where, isThere }: Running): boolean {
    if (where === 'everywhere') return true;
    const [country = '', name = ''] = place.split('/');
    if (name !== '') return isThere(Number(name.slice(2)));
    return where === 'country' && country === `C${world.countryOf(0)}`;
  }
}
