import { NO_UPTIME, type UptimeSums, WHOLE_SITE, countMinute } from '../../contract/uptime.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';
import type { Counts } from '../learning/counts.ts';
import { findOrAdd } from '../process/find-or-add.ts';
import { forgetOldest } from '../process/forget-oldest.ts';

/** How a line was at the end of a minute. */
export type MinuteState = {
  /** What the server's own probe saw. Undefined if it does not look, or is not believed. */
  readonly isDown: boolean | undefined;
  /** True for a line that visitors are handed unless it is down. */
  readonly isHandedOut: boolean;
};

/** What was seen of each line in a minute, and of the site: by the id of the line, or `WHOLE_SITE`. */
export type UptimeMinute = {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly sums: ReadonlyMap<string, UptimeSums>;
};

/** Gathers what visitors and the server saw, minute by minute. */
export type MinuteBook = {
  /** Adds what was counted in a window that ended at this time. */
  readonly addWindow: (counts: Counts, at: number) => void;
  /** Notes how the lines were in a minute. Those in maintenance are left out, and so are all while the site is closed. */
  readonly noteStates: (minute: number, states: ReadonlyMap<string, MinuteState>) => void;
  /** The minutes after one, up to another, oldest first. */
  readonly list: (after: number, until: number) => readonly UptimeMinute[];
  /** Forgets the minutes up to this one. */
  readonly forget: (until: number) => void;
};

type Met = { met: number; gotIn: number };
type LineMet = Met & { handedOut: number };

type OpenMinute = {
  hostnameCalls: number;
  readonly site: Met;
  readonly lines: Map<string, LineMet>;
  states: ReadonlyMap<string, MinuteState> | undefined;
};

const NOT_MET: Readonly<LineMet> = { handedOut: 0, met: 0, gotIn: 0 };
/** While the database is away, minutes wait for this long. */
const MOST_MINUTES = 60;

export function createMinuteBook(): MinuteBook {
  const minutes = new Map<number, OpenMinute>();

  return {
    addWindow: ({ site, lines }, at) => {
      // A window that ends with a minute belongs to it.
      const minute = openMinute(Math.floor((at - 1) / MINUTE_MS));
      minute.hostnameCalls += site.hostnameCalls;
      addMet(minute.site, site);
      for (const [id, tally] of lines) {
        const line = findOrAdd(minute.lines, id, () => ({ ...NOT_MET }));
        line.handedOut += tally.handedOut;
        addMet(line, tally);
      }
    },
    noteStates: (minute, states) => void (openMinute(minute).states = states),
    list: (after, until) =>
      [...minutes]
        .filter(([minute]) => minute > after && minute <= until)
        .toSorted(([one], [other]) => one - other)
        .map(([minute, open]) => ({ minute, sums: sumMinute(open) })),
    forget: (until) => {
      for (const minute of minutes.keys()) if (minute <= until) minutes.delete(minute);
    },
  };

  function openMinute(number: number): OpenMinute {
    const minute = findOrAdd(minutes, number, () => ({
      hostnameCalls: 0,
      site: { met: 0, gotIn: 0 },
      lines: new Map(),
      states: undefined,
    }));
    forgetOldest(minutes, MOST_MINUTES);
    return minute;
  }
}

function addMet(sum: Met, { met, gotIn }: Met): void {
  sum.met += met;
  sum.gotIn += gotIn;
}

/** What nobody saw is not known: without the states of the lines a minute says nothing. */
function sumMinute({ hostnameCalls, site, lines, states = new Map() }: OpenMinute): UptimeMinute['sums'] {
  const sums = new Map<string, UptimeSums>();
  const served = hostnameCalls > 0 || site.met > 0 ? 1 : 0;
  for (const [id, { isDown, isHandedOut }] of states) {
    const met = lines.get(id) ?? NOT_MET;
    // There were visitors, but none of them was handed the line. Visitors may still reach a line that the server does not.
    const isLeftOut = served === 1 && isDown === true && isHandedOut && met.handedOut + met.met === 0;
    sums.set(id, { ...countMet(met), ...countProbe(isDown), served, leftOut: isLeftOut ? 1 : 0 });
  }
  if (states.size === 0) return sums;
  const seen = [...states.values()].flatMap(({ isDown }) => (isDown === undefined ? [] : [isDown]));
  const isAllDown = seen.length === 0 ? undefined : seen.every((isDown) => isDown);
  sums.set(WHOLE_SITE, { ...countMet(site), ...countProbe(isAllDown), served });
  return sums;
}

function countMet({ met, gotIn }: Met): UptimeSums {
  return met === 0 ? NO_UPTIME : { ...NO_UPTIME, ...countMinute(gotIn / met), visits: met, gotIn };
}

function countProbe(isDown: boolean | undefined): Pick<UptimeSums, 'probed' | 'probedUp'> {
  return isDown === undefined ? { probed: 0, probedUp: 0 } : { probed: 1, probedUp: isDown ? 0 : 1 };
}
