import type { ConsoleWhy, WhyLine } from '../../../contract/console.ts';
import { type Area, countryOf, createArea, networkIn } from '../../learning/area.ts';
import type { Exclusion, Visitor } from '../../site/create-line-policy.ts';
import { findReachFactor, findReason } from './find-reason.ts';
import type { ConsoleSources } from '../console-sources.ts';
import { parseSystem } from '../../caller/system-name.ts';

const MAX_CHOICES = 500;
/** This many picks give a chance to within about two percent, in a few milliseconds. */
const DRAWS = 400;
/** Stands for every area that the server has never seen. */
const STRANGER = createArea(undefined, '');

/** Says why visitors of an area get the lines that they get: of the given area, or of the one that was seen last. */
export function describeWhy(given: Area | undefined, sources: ConsoleSources): ConsoleWhy {
  const { steering, site, now } = sources;
  const { lines, config } = site();
  const areas = steering.areas();
  const known = given ?? areas[0];
  const area = known ?? STRANGER;
  const reasons = findExclusionReasons(area, sources);
  // Leaves out `by-address`: some visitors of the area may have these lines.
  const excluded = new Map([...reasons].filter(([, reason]) => reason !== 'by-address'));
  const scores = steering.explain(
    area,
    // A visitor who entered a drained line last keeps it.
    new Map([...excluded].filter(([, reason]) => reason !== 'drain')),
  );
  const picked = countPicks(scores.length, () => steering.draw(area, excluded));
  const chances = scores.map((_, line) => (picked[line] ?? 0) / DRAWS);
  const tried = steering.knowledge().areas.get(area)?.lines;
  const mode = config.lines.steering;
  const described = scores.map((score, line): WhyLine => {
    const { id, isUp, reach, timeMs, loadFactor, effectiveMs, isKept } = score;
    return {
      id,
      host: lines.lines[line]?.host ?? id,
      isUp,
      reach,
      timeMs: Math.round(timeMs),
      reachFactor: findReachFactor(score),
      loadFactor,
      scoreMs: Math.round(effectiveMs),
      chance: chances[line] ?? 0,
      isKept: config.lines.sticky && isKept,
      isGuess: tried?.has(id) !== true,
      reason: findReason({ scores, chances, exclusions: reasons, line, mode }),
    };
  });
  return {
    at: now(),
    network: known ?? null,
    networks: areas.slice(0, MAX_CHOICES),
    mode,
    lines: described.toSorted(compareLines),
  };
}

/** Lines that nobody is handed come last. */
function compareLines(a: WhyLine, b: WhyLine): number {
  return Number(a.chance === 0) - Number(b.chance === 0) || a.scoreMs - b.scoreMs;
}

/** Why visitors of an area may not have lines. What depends on the address of a visitor is said as such. */
function findExclusionReasons(
  area: Area,
  { site, now }: ConsoleSources,
): ReadonlyMap<number, Exclusion | 'by-address'> {
  const { lines, findExclusions } = site().lines;
  const visitor: Visitor = {
    country: countryOf(area),
    system: parseSystem(networkIn(area)),
    address: undefined,
  };
  return new Map(
    [...findExclusions(visitor, now())].map(([line, exclusion]) => {
      const dependsOnAddress = exclusion === 'networks' && lines[line]?.policy.networks.only.hasRanges;
      return [line, dependsOnAddress ? 'by-address' : exclusion];
    }),
  );
}

function countPicks(lines: number, pick: () => readonly number[]): Uint32Array {
  const picked = new Uint32Array(lines);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    for (const line of pick()) picked[line] = (picked[line] ?? 0) + 1;
  }
  return picked;
}
