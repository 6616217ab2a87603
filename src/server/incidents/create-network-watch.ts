import { MINUTE_MS } from '../../contract/time-units.ts';
import { type Area, countryOf, createArea, networkIn } from '../learning/area.ts';
import { OPEN_PART } from '../learning/count-report.ts';
import type { Counts, Observation } from '../learning/counts.ts';
import {
  type Cell,
  FORGET_MS,
  type Tries,
  createCell,
  hasSigns,
  isLossOver,
  noteTries,
  noteUsual,
  resumeLoss,
  showsLoss,
} from './weigh-tries.ts';

/** A line that the visitors of a network, or of a whole country, do not reach. */
export type NetworkLoss = {
  /** Without a network, such as `GB/`, for a whole country. */
  readonly area: Area;
  /** How many networks of those that have tried the line lately this stands for: none if all of it is older. */
  readonly networks: number;
  readonly lineId: string;
  /** When the first of the failures that count was seen. */
  readonly since: number;
  /** How many visitors have lost the line since then. */
  readonly visitors: number;
};

export type NetworkWatch = {
  /** Takes a window of counts that has closed. */
  readonly addWindow: (counts: Pick<Counts, 'areas'>, at: number) => void;
  /** Takes up a loss that was known before the server was started again. */
  readonly resume: (loss: Pick<NetworkLoss, 'area' | 'lineId' | 'since' | 'visitors'>, at: number) => void;
  readonly losses: (now: number) => readonly NetworkLoss[];
  /** How many networks have tried a line lately, whether they reached it or not. */
  readonly countNetworks: (lineId: string, now: number) => number;
};

/** The word of one voter, a /24 or /48, counts for so many failures of a window: one visitor may try again and again. */
const MAX_FAILURES_OF_VOTER = 2;
const LATELY_MS = 10 * MINUTE_MS;
/**
 * Whoever sends from many networks adds a cell for each of them and each line. Nothing else bounds these: ten reports of a /24 count in
 * five minutes, but there are 65,536 networks of IPv4 alone. A cell has about 0.5 KB.
 */
const MAX_CELLS = 100_000;
const MAX_CELLS_OF_LINE = 10_000;
/** What is usual at all lines is taken from so many tries. */
const MAX_SITE_TRIES = 10_000;

/** Notices when the visitors of an area lose a line, out of the windows that the steering learns from. */
export function createNetworkWatch(): NetworkWatch {
  /** By line id, by area, the least recently tried first. */
  const cells = new Map<string, Map<Area, Cell>>();
  /** What is usual at all lines together. */
  const site = { tries: 0, reached: 0 };

  return {
    addWindow: ({ areas }, at) => {
      const usualReach = site.tries === 0 ? 0 : site.reached / site.tries;
      const changed = new Map<Cell, { readonly lineId: string; readonly place: Area }>();
      for (const [area, voters] of areas) {
        const country = countryOf(area);
        const circumstances = { area, at, usualReach };
        // The networks of a country are also looked at together: each may have too few visitors to tell.
        const places = country === undefined ? [area] : [area, createArea(country, '')];
        for (const [lineId, tries] of addUpVoters(voters)) {
          for (const place of places) {
            const cell = openCell(lineId, place, at);
            noteTries(cell, tries, circumstances);
            changed.set(cell, { lineId, place });
          }
          noteUsual(site, tries, MAX_SITE_TRIES);
        }
      }
      // Now that all of the window is known: successes of a network may come after failures of another.
      for (const [cell, { lineId, place }] of changed) {
        if (isLossOver(cell)) endLoss(lineId, place, at);
        else cell.isLost ||= showsLoss(cell);
      }
      forgetOld(at);
    },
    resume: ({ area, lineId, since, visitors }, at) => {
      const cell = openCell(lineId, area, at);
      if (cell.isLost) return;
      resumeLoss(cell, { since, visitors });
      // Which networks of a country have failed is no longer known, so that everyone there is heard.
      if (isNetwork(area)) cell.failing.set(area, 1);
    },
    losses: (now) =>
      [...cells].flatMap(([lineId, ofLine]) => {
        const isLost = (area: Area): boolean => ofLine.get(area)?.isLost ?? false;
        return [...ofLine].flatMap(([area, cell]) => {
          if (!cell.isLost || (isNetwork(area) && isLost(createArea(countryOf(area), '')))) return [];
          const { since, visitors } = cell;
          const networks = isNetwork(area)
            ? Number(isTriedLately(cell, now))
            : countTried(ofLine, now, countryOf(area));
          return [{ area, lineId, since, visitors, networks }];
        });
      }),
    countNetworks: (lineId, now) => countTried(cells.get(lineId) ?? new Map(), now),
  };

  function openCell(lineId: string, area: Area, at: number): Cell {
    let ofLine = cells.get(lineId);
    if (ofLine === undefined) cells.set(lineId, (ofLine = new Map()));
    const cell = ofLine.get(area) ?? createCell({ isCountry: !isNetwork(area), at });
    ofLine.delete(area); // It goes to the end of the queue.
    ofLine.set(area, cell);
    return cell;
  }

  /** A network that nobody has lately seen fail was lost with its country, and is well with it. */
  function endLoss(lineId: string, place: Area, at: number): void {
    for (const [area, cell] of cells.get(lineId) ?? []) {
      const isPart =
        !isNetwork(place) && countryOf(area) === countryOf(place) && cell.failedAt < at - LATELY_MS;
      if (area === place || isPart) Object.assign(cell, { isLost: false, sum: 0 });
    }
  }

  function forgetOld(at: number): void {
    for (const [lineId, ofLine] of cells) {
      for (const [area, { triedAt }] of ofLine) if (triedAt < at - FORGET_MS) forget(ofLine, area);
      if (ofLine.size === 0) cells.delete(lineId);
    }
    const most = Math.min(MAX_CELLS_OF_LINE, Math.floor(MAX_CELLS / cells.size));
    for (const ofLine of cells.values()) forgetSurplus(ofLine, most);
  }
}

/**
 * Cells without a failure go first, and those that are lost go last: a flood of reports must not hide them. Half of the room stays
 * for cells without a failure, or a line that half of the networks have lost would look lost everywhere.
 */
function forgetSurplus(ofLine: Map<Area, Cell>, most: number): void {
  const surplus = ofLine.size - most;
  if (surplus <= 0) return;
  const well: Area[] = [];
  const doubtful: Area[] = [];
  const lost: Area[] = [];
  for (const [area, cell] of ofLine) (cell.isLost ? lost : hasSigns(cell) ? doubtful : well).push(area);
  const spared = well.splice(Math.max(0, well.length - Math.floor(most / 2)));
  for (const area of [...well, ...doubtful, ...lost, ...spared].slice(0, surplus)) forget(ofLine, area);
}

/** With a network, its country forgets the failures that it had there. */
function forget(ofLine: Map<Area, Cell>, area: Area): void {
  ofLine.delete(area);
  ofLine.get(createArea(countryOf(area), ''))?.failing.delete(area);
}

function addUpVoters(
  voters: ReadonlyMap<number, ReadonlyMap<string, Pick<Observation, 'reached' | 'failed' | 'lost'>>>,
): ReadonlyMap<string, Tries> {
  const sums = new Map<string, Tries>();
  for (const byLine of voters.values()) {
    for (const [lineId, { reached, lost, failed }] of byLine) {
      const before = sums.get(lineId) ?? { reached: 0, lost: 0, countedLost: 0, open: 0 };
      sums.set(lineId, {
        reached: before.reached + reached,
        lost: before.lost + lost,
        countedLost: before.countedLost + Math.min(lost, MAX_FAILURES_OF_VOTER),
        open: before.open + (failed - lost) / OPEN_PART,
      });
    }
  }
  return sums;
}

function isNetwork(area: Area): boolean {
  return networkIn(area) !== '';
}

/** How many networks have tried a line lately: all, or those of one country. */
function countTried(ofLine: ReadonlyMap<Area, Cell>, now: number, country?: string): number {
  let count = 0;
  for (const [area, cell] of ofLine) {
    const isThere = country === undefined || countryOf(area) === country;
    if (isNetwork(area) && isThere && isTriedLately(cell, now)) count += 1;
  }
  return count;
}

function isTriedLately({ triedAt }: Cell, now: number): boolean {
  return triedAt >= now - LATELY_MS;
}
