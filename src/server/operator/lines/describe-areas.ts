import type { ConsoleNetwork, ConsoleNetworks } from '../../../contract/console.ts';
import type { Area } from '../../learning/area.ts';
import { roundToTenths } from '../../learning/counts.ts';
import { judgeLineById } from './describe-lines.ts';
import { type Cell, type CellReader, createCellReader, findMeanMs, readCell } from './read-cell.ts';
import type { ConsoleSources } from '../console-sources.ts';

const MAX_AREAS = 50;

/** The worst areas with what their visitors see of every line: the heat map. */
export function describeAreas(sources: ConsoleSources): ConsoleNetworks {
  const { areas, lineIds } = sources.steering.knowledge();
  const { byId } = sources.site().lines;
  const reader = createCellReader(sources);
  const ranked = [...areas]
    .map(([area, view]) => rankArea({ area, seenAt: view.at }, lineIds, reader))
    .filter(({ tries }) => tries > 0)
    .toSorted((a, b) => b.failing - a.failing || b.lostPart - a.lostPart || b.tries - a.tries);
  return {
    at: sources.now(),
    known: ranked.length,
    lines: lineIds.map((id) => ({
      id,
      host: byId.get(id)?.host ?? id,
      status: judgeLineById(id, sources).status,
    })),
    networks: ranked.slice(0, MAX_AREAS).map(describeArea),
  };
}

type RankedArea = {
  readonly area: Area;
  readonly seenAt: number;
  /** One for each line, in their order. */
  readonly cells: readonly (Cell | undefined)[];
  readonly failing: number;
  readonly tries: number;
  readonly lostPart: number;
};

/** How bad it is: by the lines that fail, then by the part of all tries that are lost. */
function rankArea(
  { area, seenAt }: Pick<RankedArea, 'area' | 'seenAt'>,
  lineIds: readonly string[],
  reader: CellReader,
): RankedArea {
  const cells = lineIds.map((lineId) => readCell(reader, { area, lineId }));
  let [failing, tries, lost] = [0, 0, 0];
  for (const cell of cells) {
    if (cell === undefined) continue;
    if (cell.failingSince !== undefined) failing += 1;
    tries += cell.reached + cell.lost;
    lost += cell.lost;
  }
  return { area, seenAt, cells, failing, tries, lostPart: tries === 0 ? 0 : lost / tries };
}

function describeArea({ area, seenAt, cells, failing }: RankedArea): ConsoleNetwork {
  return {
    name: area,
    seenAt,
    failing,
    reached: cells.map((cell) => roundToTenths(cell?.reached ?? 0)),
    lost: cells.map((cell) => roundToTenths(cell?.lost ?? 0)),
    timeMs: cells.map((cell) => (cell === undefined ? null : findMeanMs(cell))),
    failingSince: cells.map((cell) => cell?.failingSince ?? null),
  };
}
