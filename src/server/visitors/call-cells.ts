import { OTHER } from '../../contract/visitors.ts';
import type { Area } from '../learning/area.ts';
import type { Cells, Numbers } from './cells.ts';

/** A visitor who asked for lines. */
export type LineCall = {
  /** The machine of the portal that answered. */
  readonly portal: string;
  /** The host of the portal's address, as the visitor's browser named it. */
  readonly domain: string;
  readonly area: Area;
};

/** Where calls are counted on their own. */
export type CallPlace = { readonly kind: 'portal' | 'domain' | 'network'; readonly name: string };

/** The cell of all calls. */
export const ALL_CALLS = 'all';
const MADE_UP = 'of/';
const CELL = /^(?:of\/)?(portal|domain|network)\/(.+)$/;
/** A host without its port. Others are counted together. */
const DOMAIN = /^[a-z\d.-]{1,253}$/;

/** Where these cells are kept. Visitors can make domains up, and come from any network, so at most 500 names of a day count. */
export const CALL_NUMBERS: Numbers = {
  table: 'call',
  keptDays: 30,
  findMadeUp: (cell) => (cell.startsWith(MADE_UP) ? cell : undefined),
  madeUpLike: `${MADE_UP}%`,
  mostMadeUp: 500,
  asOther: () => OTHER,
};

/** Turns a call into cells. */
export function countCall({ portal, domain, area }: LineCall): Cells {
  return new Map([
    [ALL_CALLS, 1],
    [`portal/${portal}`, 1],
    [`${MADE_UP}domain/${DOMAIN.test(domain) ? domain : OTHER}`, 1],
    [`${MADE_UP}network/${area}`, 1],
  ]);
}

/** What a cell counts. Undefined if it counts all calls, or what has no name. */
export function readCallCell(cell: string): CallPlace | undefined {
  const [, kind, name] = CELL.exec(cell) ?? [];
  if (kind === undefined || name === undefined || name === OTHER) return undefined;
  return { kind: kind as CallPlace['kind'], name }; // The pattern has only these.
}
