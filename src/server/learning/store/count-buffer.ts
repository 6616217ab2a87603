import type { PackedCounts } from './redis-counts.ts';

export type CountBuffer = {
  readonly add: (row: string, field: string, amount: number) => void;
  /** Takes the oldest counts out, at most so many, a row at a time. */
  readonly take: (maxCells: number) => PackedCounts;
  /** How many numbers are held. */
  readonly cells: () => number;
};

/** Holds counts until they can be sent, up to a bound. It can always add to a count that it already holds. */
export function createCountBuffer(maxCells: number, onLoss: () => void): CountBuffer {
  const held: PackedCounts = new Map();
  let cells = 0;
  return {
    add: (row, field, amount) => {
      if (!held.get(row)?.has(field)) {
        if (cells >= maxCells) return onLoss();
        cells += 1;
      }
      let fields = held.get(row);
      if (fields === undefined) held.set(row, (fields = new Map()));
      fields.set(field, (fields.get(field) ?? 0) + amount);
    },
    take: (most) => {
      const taken: PackedCounts = new Map();
      let left = most;
      for (const [row, fields] of held) {
        if (taken.size > 0 && fields.size > left) break;
        held.delete(row);
        taken.set(row, fields);
        cells -= fields.size;
        left -= fields.size;
      }
      return taken;
    },
    cells: () => cells,
  };
}
