import type { Area } from '../area.ts';
import { type Observation, roundToThousandths } from '../counts.ts';
import { countOpen } from '../count-report.ts';
import { EVERYWHERE, countryPlaceOf } from './places.ts';
import type { Paces } from './slow-lines.ts';

/** With fewer times than this nobody knows how long a line takes in a network. */
const MIN_TIMES = 3;
/** The spread of the logarithms of the times of one line in one network. */
const SPREAD = 0.4;
/** Where that is not known: the spread over the networks of a country, and over all networks. */
const MIN_TIMES_WIDER = 8;
const SPREAD_IN_COUNTRY = 0.6;
const SPREAD_EVERYWHERE = 0.9;
/** This part of the visitors of a line that is well never gets an answer. */
const NORMAL_LOSS = 0.03;
/** A visitor whose other lines take up to this many times as long as usual has a slow connection. */
const MOST_SLOWER_LN = Math.log(4);

/**
 * Says how much the open probes of a voter speak for a loss, by line: the negative logarithm of the chance that a line that is well has not
 * answered by then. Lines whose usual time in the network is not known are left out.
 */
export function weighWaits(
  byLine: ReadonlyMap<string, Observation>,
  known: { readonly paces: Pick<Paces, 'lines'>; readonly area: Area },
): ReadonlyMap<string, number> {
  const says = new Map<string, number>();
  let slower: number | undefined;
  for (const [lineId, { openLnMs, failed, lost }] of byLine) {
    const open = countOpen({ failed, lost });
    if (openLnMs === undefined || open === 0) continue;
    const usual = findUsual(lineId, known);
    if (usual === undefined) continue;
    slower ??= findSlower(byLine, known);
    const answersLater = 1 - normalPart((openLnMs / open - usual.lnMs - slower) / usual.spread);
    const part = NORMAL_LOSS + (1 - NORMAL_LOSS) * answersLater;
    says.set(lineId, roundToThousandths(-Math.log(part) * open));
  }
  return says;
}

/** How much slower than usual the lines answered that the visitor did reach. Visitors on a bad connection have slow lines only. */
function findSlower(
  byLine: ReadonlyMap<string, Observation>,
  known: { readonly paces: Pick<Paces, 'lines'>; readonly area: Area },
): number {
  let times = 0;
  let sumLn = 0;
  for (const [lineId, seen] of byLine) {
    const usual = seen.times === 0 ? undefined : findUsual(lineId, known);
    if (usual === undefined) continue;
    times += seen.times;
    sumLn += seen.sumLnMs - seen.times * usual.lnMs;
  }
  return times === 0 ? 0 : Math.min(MOST_SLOWER_LN, Math.max(0, sumLn / times));
}

function findUsual(
  lineId: string,
  { paces, area }: { readonly paces: Pick<Paces, 'lines'>; readonly area: Area },
): { readonly lnMs: number; readonly spread: number } | undefined {
  const ofLine = paces.lines.get(lineId);
  const own = ofLine?.get(area);
  if (own !== undefined && own.usualTimes >= MIN_TIMES)
    return { lnMs: own.usualLn, spread: SPREAD * Math.sqrt(1 + 1 / own.usualTimes) };
  const country = ofLine?.get(countryPlaceOf(area));
  if (country !== undefined && country.usualTimes >= MIN_TIMES_WIDER)
    return { lnMs: country.usualLn, spread: SPREAD_IN_COUNTRY };
  const all = ofLine?.get(EVERYWHERE);
  if (all === undefined || all.usualTimes < MIN_TIMES_WIDER) return undefined;
  return { lnMs: all.usualLn, spread: SPREAD_EVERYWHERE };
}

/** The part of a normal distribution below a value: the logistic function comes within 0.01 of it. */
function normalPart(value: number): number {
  return 1 / (1 + Math.exp(-1.702 * value));
}
