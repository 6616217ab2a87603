import { HOUR_MINUTES } from '../../contract/time-units.ts';
import { addCount } from './counts.ts';

/** How many of something fell into each group, in each minute of the last hour: times into buckets, visitors into voters. */
export type GroupRing = {
  readonly add: (minute: number, counts: ReadonlyMap<number, number>) => void;
  /** How many fell into each group in these minutes. Minutes more than an hour ago are not known. */
  readonly sum: (minutes: readonly number[]) => ReadonlyMap<number, number>;
  /** All of it, for a snapshot. */
  readonly columns: GroupColumns;
};

export type GroupColumns = {
  readonly minute: Uint32Array;
  /** One number for each minute of an hour and each group, minute by minute. */
  readonly counts: Uint32Array;
};

export function createGroupRing(
  groups: number,
  columns: GroupColumns = {
    minute: new Uint32Array(HOUR_MINUTES),
    counts: new Uint32Array(HOUR_MINUTES * groups),
  },
): GroupRing {
  const { minute: minutes, counts } = columns;

  return {
    columns,
    add: (minute, added) => {
      if (added.size === 0) return;
      const place = minute % HOUR_MINUTES;
      const first = place * groups;
      if (minutes[place] !== minute) counts.fill(0, first, first + groups);
      minutes[place] = minute;
      for (const [group, count] of added) counts[first + group] = (counts[first + group] ?? 0) + count;
    },
    sum: (wanted) => {
      const sums = new Map<number, number>();
      for (const minute of wanted) {
        const place = minute % HOUR_MINUTES;
        if (minutes[place] !== minute) continue;
        for (let group = 0; group < groups; group += 1) {
          const count = counts[place * groups + group] ?? 0;
          if (count > 0) addCount(sums, group, count);
        }
      }
      return sums;
    },
  };
}
