import { countryOf } from './area.ts';
import { createBeliefReader, findChange } from './belief.ts';
import type { AreaView, Knowledge } from './knowledge.ts';
import { countVotes, forgetLine, sumVotes } from './view.ts';

/** How much is remembered of areas. */
export type MemoryLimits = { readonly maxVotes: number; readonly maxAreas: number };

/** With the evidence of losses and the last day of 200 lines, what was learned takes some 55 MB, see `npm run bench -- scale`. */
const LIMITS: MemoryLimits = { maxVotes: 150_000, maxAreas: 10_000 };
/** This part is forgotten at once, so that it need not be done after each window. */
const FORGOTTEN_PART = 0.15;

/**
 * Forgets what is worth least, if too much is known. What was seen of a line in an area is worth more if it changes the line's
 * score there by much, compared with what the country knows, and if the area is used by many. The worth depends on nothing but
 * what is known, so that all portals forget the same.
 */
export function* forgetLeastUseful(
  knowledge: Knowledge,
  { maxVotes, maxAreas }: MemoryLimits = LIMITS,
): Generator<void, void> {
  if (knowledge.areaVotes.rowCount() > maxVotes) yield* forgetRecords(knowledge, maxVotes);
  if (knowledge.areas.size > maxAreas) yield* forgetAreas(knowledge, maxAreas);
}

type LineRecord = { readonly view: AreaView; readonly lineId: string; readonly votes: number };

/** Forgets what was seen of lines in areas, until there is room for more votes. */
function* forgetRecords(knowledge: Knowledge, maxVotes: number): Generator<void, void> {
  const { areas, lineIds, areaVotes } = knowledge;
  const beliefs = createBeliefReader(knowledge);
  const places = new Map(lineIds.map((lineId, line) => [lineId, line]));
  const surplus = areaVotes.rowCount() - maxVotes * (1 - FORGOTTEN_PART);
  const records: LineRecord[] = [];
  const worths: number[] = [];
  for (const [area, view] of areas) {
    const ofCountry = beliefs.ofCountry(countryOf(area));
    for (const lineId of view.lines.keys()) {
      const votes = countVotes(view, lineId);
      const change = findChange(ofCountry, places.get(lineId) ?? -1, sumVotes(view, lineId, knowledge.at));
      records.push({ view, lineId, votes });
      worths.push((view.use * change) / votes);
    }
    yield;
  }
  const limit = findLimit(Float64Array.from(worths), records, surplus);
  yield;
  for (const [index, { view, lineId }] of records.entries()) {
    if ((worths[index] ?? 0) <= limit) forgetLine(view, lineId);
    if (index % 100 === 0) yield;
  }
}

/** The worth up to which records are forgotten, so that about this many votes are. */
function findLimit(worths: Float64Array, records: readonly LineRecord[], surplus: number): number {
  const votes = records.reduce((sum, each) => sum + each.votes, 0);
  const sorted = worths.toSorted();
  return sorted[Math.floor((sorted.length * surplus) / votes)] ?? Infinity;
}

/** Forgets the areas that are used least. */
function* forgetAreas({ areas }: Knowledge, maxAreas: number): Generator<void, void> {
  const uses = Float64Array.from(areas.values(), ({ use }) => use).toSorted();
  let surplus = areas.size - Math.floor(maxAreas * (1 - FORGOTTEN_PART));
  const limit = uses[surplus - 1] ?? Infinity;
  yield;
  for (const [area, view] of areas) {
    if (surplus === 0) return;
    if (view.use > limit) continue;
    for (const lineId of view.lines.keys()) forgetLine(view, lineId);
    areas.delete(area);
    surplus -= 1;
    yield;
  }
}
