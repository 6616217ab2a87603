import type { ConsoleLine, LineStatus } from '../../contract/console.ts';

export type SortKey =
  | 'host'
  | 'status'
  | 'since'
  | 'handedOut'
  | 'tried'
  | 'reached'
  | 'p50'
  | 'p95'
  | 'failingNetworks';

export type Sorting = { readonly key: SortKey; readonly isDescending: boolean };

/** Trouble first. */
const SEVERITY: Readonly<Record<LineStatus, number>> = {
  down: 3,
  degraded: 2,
  up: 1,
  unknown: 0,
  maintenance: -1,
};

const names = new Intl.Collator('en', { numeric: true });

/** Sorts lines by a column. Lines with an unknown value always come last. */
export function sortLines(
  lines: readonly ConsoleLine[],
  { key, isDescending }: Sorting,
): readonly ConsoleLine[] {
  const direction = isDescending ? -1 : 1;
  return lines.toSorted((a, b) => {
    if (key === 'host') return direction * names.compare(a.host, b.host);
    const [one, other] = [valueOf(a, key), valueOf(b, key)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return direction * (one - other);
  });
}

function valueOf(line: ConsoleLine, key: Exclude<SortKey, 'host'>): number | null {
  if (key === 'status') return SEVERITY[line.status];
  if (key !== 'reached') return line[key];
  return line.reached === null || !line.tried ? null : line.reached / line.tried;
}

/** Puts lines into an order that was shown before. New lines come last. */
export function keepOrder(
  lines: readonly ConsoleLine[],
  shownIds: readonly string[],
): readonly ConsoleLine[] {
  const places = new Map(shownIds.map((id, place) => [id, place]));
  const placeOf = ({ id }: ConsoleLine): number => places.get(id) ?? places.size;
  return lines.toSorted((a, b) => placeOf(a) - placeOf(b));
}

export type StateFilter = LineStatus | 'all' | 'trouble';

export type LineFilter = { readonly text: string; readonly state: StateFilter };

/** Keeps the lines in the wanted state whose host contains the text. */
export function filterLines(
  lines: readonly ConsoleLine[],
  { text, state }: LineFilter,
): readonly ConsoleLine[] {
  const wanted = text.trim().toLowerCase();
  return lines.filter(({ host, status }) => host.toLowerCase().includes(wanted) && isInState(status, state));
}

function isInState(status: LineStatus, state: StateFilter): boolean {
  if (state === 'all') return true;
  return state === 'trouble' ? status === 'down' || status === 'degraded' : status === state;
}
