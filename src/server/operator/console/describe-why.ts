import type { ConsoleWhy, WhyLine } from '../../../contract/console.ts';
import { type Area, createArea } from '../../learning/area.ts';
import { findReason } from './find-reason.ts';
import type { ConsoleSources } from './sources.ts';

const MAX_CHOICES = 500;
/** So many picks tell a chance to within two percent or so, in a few milliseconds. */
const DRAWS = 400;
/** Stands for every area that was never heard of. */
const STRANGER = createArea(undefined, '');

/** Why the visitors of an area are handed the lines that they are: of the given one, or of the last that was seen. */
export function describeWhy(given: Area | undefined, sources: ConsoleSources): ConsoleWhy {
  const { steering, site, now } = sources;
  const { lines, config } = { lines: site().lines.lines, config: site().config };
  const areas = steering.areas();
  const known = given ?? areas[0];
  const area = known ?? STRANGER;
  const views = steering.explain(area);
  const picked = countPicks(area, steering, views.length);
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
      reason: findReason({ views, chances, line, mode }),
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

function countPicks(area: Area, steering: ConsoleSources['steering'], lines: number): Uint32Array {
  const picked = new Uint32Array(lines);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    for (const line of steering.pick(area)) picked[line] = (picked[line] ?? 0) + 1;
  }
  return picked;
}
