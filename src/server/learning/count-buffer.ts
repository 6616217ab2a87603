import { type Counts, addCount } from './counts.ts';

export type CountBuffer = {
  readonly add: (row: string, field: string, amount: number) => void;
  /** Takes the oldest counts out, at most so many, a row at a time. */
  readonly take: (maxCells: number) => Counts;
  /** How many numbers are held. */
  readonly cells: () => number;
};

/** Holds counts until they can be sent, up to a bound. More of what is held already always fits. */
export function createCountBuffer(maxCells: number, onLoss: () => void): CountBuffer {
  const held: Counts = new Map();
  let cells = 0;
  return {
    add: (row, field, amount) => {
      if (!held.get(row)?.has(field)) {
        if (cells >= maxCells) return onLoss();
        cells += 1;
      }
      addCount(held, row, field, amount);
    },
    take: (most) => {
      const taken: Counts = new Map();
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
