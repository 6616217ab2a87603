import type { ConsoleNetwork, ConsoleNetworks } from '../../../contract/console.ts';
import type { Area } from '../../learning/area.ts';
import type { EvidenceRow } from '../../learning/evidence-row.ts';
import { judgeLineById } from './describe-lines.ts';
import { readCell } from './read-cell.ts';
import { roundTenths } from './round-tenths.ts';
import type { ConsoleSources } from './sources.ts';

const MAX_NETWORKS = 50;

/** The worst networks with what their visitors see of every line. */
export function describeNetworks(sources: ConsoleSources): ConsoleNetworks {
  const { areas, lineIds, at } = sources.steering.evidence();
  const { byId } = sources.site().lines;
  const ranked = [...areas]
    .map(([area, row]) => rankNetwork(area, row, { lines: lineIds.length, at }))
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
    networks: ranked
      .slice(0, MAX_NETWORKS)
      .map(({ area, row, failing }) => describeNetwork(area, row, { failing, lines: lineIds.length, at })),
  };
}

type RankedNetwork = {
  readonly area: Area;
  readonly row: EvidenceRow;
  readonly failing: number;
  readonly tries: number;
  readonly lostPart: number;
};

/** How bad it is: by the lines that fail, then by the part of all tries that are lost. */
function rankNetwork(
  area: Area,
  row: EvidenceRow,
  { lines, at }: { readonly lines: number; readonly at: number },
): RankedNetwork {
  let [failing, tries, lost] = [0, 0, 0];
  for (let line = 0; line < lines; line += 1) {
    const cell = readCell(row, line, at);
    if (cell === undefined) continue;
    if (cell.failingSince !== undefined) failing += 1;
    tries += cell.reached + cell.lost;
    lost += cell.lost;
  }
  return { area, row, failing, tries, lostPart: tries === 0 ? 0 : lost / tries };
}

function describeNetwork(
  name: Area,
  row: EvidenceRow,
  { failing, lines, at }: { readonly failing: number; readonly lines: number; readonly at: number },
): ConsoleNetwork {
  const cells = Array.from({ length: lines }, (_, line) => readCell(row, line, at));
  return {
    name,
    seenAt: row.at,
    failing,
    reached: cells.map((cell) => roundTenths(cell?.reached ?? 0)),
    lost: cells.map((cell) => roundTenths(cell?.lost ?? 0)),
    timeMs: cells.map((cell) => (cell?.timeMs === undefined ? null : Math.round(cell.timeMs))),
    failingSince: cells.map((cell) => cell?.failingSince ?? null),
  };
}
