import { useMemo, useRef, useState } from 'react';
import type { ConsoleLine } from '../../contract/console.ts';
import {
  type LineFilter,
  type SortKey,
  type Sorting,
  filterLines,
  keepOrder,
  sortLines,
} from './order-lines.ts';

export type ShownLines = {
  readonly shown: readonly ConsoleLine[];
  readonly sorting: Sorting;
  readonly sortBy: (key: SortKey) => void;
  /** Call it with true while the pointer is in the table, or the focus in a row: rows then keep their places. */
  readonly setIsHeld: (isHeld: boolean) => void;
};

/** These columns are sorted upwards at the first click. */
const ASCENDING: ReadonlySet<SortKey> = new Set(['host', 'reached']);

/** Sorts and filters the lines as the operator has chosen. */
export function useShownLines(lines: readonly ConsoleLine[], filter: LineFilter): ShownLines {
  const [sorting, setSorting] = useState<Sorting>({ key: 'status', isDescending: true });
  const [isHeld, setIsHeld] = useState(false);
  const order = useRef<{ readonly sorting: Sorting; readonly ids: readonly string[] }>({ sorting, ids: [] });
  const stable = useStableLines(lines);
  const sorted = useMemo(() => {
    const isSame = order.current.sorting === sorting && order.current.ids.length > 0;
    const next = isHeld && isSame ? keepOrder(stable, order.current.ids) : sortLines(stable, sorting);
    order.current = { sorting, ids: next.map(({ id }) => id) };
    return next;
  }, [stable, sorting, isHeld]);
  const shown = useMemo(() => filterLines(sorted, filter), [sorted, filter]);
  return {
    shown,
    sorting,
    setIsHeld,
    sortBy: (key) =>
      setSorting((before) => ({
        key,
        isDescending: before.key === key ? !before.isDescending : !ASCENDING.has(key),
      })),
  };
}

/** Keeps the object of a line that has not changed, so that its row is not rendered again. */
function useStableLines(lines: readonly ConsoleLine[]): readonly ConsoleLine[] {
  const known = useRef(new Map<string, { readonly json: string; readonly line: ConsoleLine }>());
  return useMemo(() => {
    const next = lines.map((line) => {
      const json = JSON.stringify(line);
      const before = known.current.get(line.id);
      return before?.json === json ? before : { json, line };
    });
    known.current = new Map(next.map((entry) => [entry.line.id, entry]));
    return next.map(({ line }) => line);
  }, [lines]);
}
