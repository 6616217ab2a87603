import type { ConsoleWhy, WhyLine } from '../../../contract/console.ts';
import { type Area, createArea } from '../../learning/area.ts';
import { findExclusions } from '../../site/find-exclusions.ts';
import { findReason } from './find-reason.ts';
import type { ConsoleSources } from './sources.ts';

const MAX_CHOICES = 500;
/** This many picks give a chance to within about two percent, in a few milliseconds. */
const DRAWS = 400;
/** Stands for every area that the server has never seen. */
const STRANGER = createArea(undefined, '');

/** Says why visitors of an area get the lines that they get: of the given area, or of the one that was seen last. */
export function describeWhy(given: Area | undefined, sources: ConsoleSources): ConsoleWhy {
  const { steering, site, now } = sources;
  const { lines, config } = { lines: site().lines.lines, config: site().config };
  const areas = steering.areas();
  const known = given ?? areas[0];
  const area = known ?? STRANGER;
  const views = steering.explain(area);
  const exclusions = findExclusions(lines, now());
  const picked = countPicks(views.length, () => steering.pick(area, exclusions));
  const chances = views.map((_, line) => (picked[line] ?? 0) / DRAWS);
  const mode = config.lines.steering;
  const described = views.map((view, line): WhyLine => {
    const { id, isUp, reach, timeMs, loadFactor, effectiveMs } = view;
    return {
      id,
      host: lines[line]?.host ?? id,
      isUp,
      reach,
      timeMs: Math.round(timeMs),
      reachFactor: effectiveMs / timeMs / loadFactor,
      loadFactor,
      scoreMs: Math.round(effectiveMs),
      chance: chances[line] ?? 0,
      reason: findReason({ views, chances, exclusions, line, mode }),
    };
  });
  return {
    at: now(),
    network: known ?? null,
    networks: areas.slice(0, MAX_CHOICES),
    mode,
    lines: described.toSorted((a, b) => a.scoreMs - b.scoreMs),
  };
}

function countPicks(lines: number, pick: () => readonly number[]): Uint32Array {
  const picked = new Uint32Array(lines);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    for (const line of pick()) picked[line] = (picked[line] ?? 0) + 1;
  }
  return picked;
}
