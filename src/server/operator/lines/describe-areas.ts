import type { ConsoleNetwork, ConsoleNetworks } from '../../../contract/console.ts';
import { roundToTenths } from '../../learning/counts.ts';
import type { Steps } from '../../process/create-step-watch.ts';
import { judgeLineById, listRules } from './describe-lines.ts';
import {
  type AreaSum,
  type CellReader,
  createCellReader,
  findMeanMs,
  readCell,
  sumAreas,
} from './read-cell.ts';
import type { ConsoleSources } from '../console-sources.ts';

const MAX_AREAS = 50;

/** The worst areas with what their visitors see of every line: the heat map. */
export function* describeAreas(sources: ConsoleSources): Steps<ConsoleNetworks> {
  const { lineIds } = sources.steering.knowledge();
  const { byId } = sources.site().lines;
  const reader = createCellReader(sources);
  const sums = yield* sumAreas(reader);
  // By the lines that fail, then by the part of all tries that are lost.
  const ranked = sums.toSorted(
    (a, b) => b.failing.length - a.failing.length || b.lost / b.tries - a.lost / a.tries || b.tries - a.tries,
  );
  yield;
  const lines: ConsoleNetworks['lines'][number][] = [];
  for (const id of lineIds) {
    const line = byId.get(id);
    const rules = line === undefined ? [] : listRules(line.policy);
    lines.push({ id, host: line?.host ?? id, status: judgeLineById(id, sources).status, rules });
    yield;
  }
  const networks: ConsoleNetwork[] = [];
  for (const sum of ranked.slice(0, MAX_AREAS)) {
    networks.push(describeArea(sum, lineIds, reader));
    yield;
  }
  return { at: sources.now(), known: ranked.length, lines, networks };
}

function describeArea(
  { area, failing }: AreaSum,
  lineIds: readonly string[],
  reader: CellReader,
): ConsoleNetwork {
  const cells = lineIds.map((lineId) => readCell(reader, { area, lineId }));
  return {
    name: area,
    seenAt: reader.knowledge.areas.get(area)?.at ?? 0,
    failing: failing.length,
    reached: cells.map((cell) => roundToTenths(cell?.reached ?? 0)),
    lost: cells.map((cell) => roundToTenths(cell?.lost ?? 0)),
    timeMs: cells.map((cell) => (cell === undefined ? null : findMeanMs(cell))),
    failingSince: cells.map((cell) => cell?.failingSince ?? null),
  };
}
