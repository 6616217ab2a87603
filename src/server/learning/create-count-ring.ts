import { DAY_MINUTES } from '../../contract/time-units.ts';

/** What was counted in each minute of the last 24 hours, by name. */
export type CountRing<Name extends string> = {
  /** Adds to the counts of a minute. */
  readonly add: (minute: number, counts: Readonly<Record<Name, number>>) => void;
  /** Replaces some of the counts of a minute to which something was added. */
  readonly replace: (minute: number, counts: Readonly<Partial<Record<Name, number>>>) => void;
  /** What was counted in a minute; undefined where that was nothing, or more than 24 hours ago. */
  readonly read: (minute: number) => Readonly<Record<Name | 'minute', number>> | undefined;
  /** All of it, for a snapshot: each column has one number for each minute of a day. */
  readonly columns: CountColumns<Name>;
};

export type CountColumns<Name extends string> = Readonly<Record<Name | 'minute', Uint32Array>>;

/** Keeps each count in a typed array of its own. A minute overwrites the one of a day before. */
export function createCountRing<Name extends string>(
  names: readonly Name[],
  columns: CountColumns<Name> = createColumns(names),
): CountRing<Name> {
  return {
    columns,
    add: (minute, counts) => {
      const place = minute % DAY_MINUTES;
      const isNew = columns.minute[place] !== minute;
      columns.minute[place] = minute;
      for (const name of names)
        columns[name][place] = (isNew ? 0 : (columns[name][place] ?? 0)) + counts[name];
    },
    replace: (minute, counts) => {
      for (const name of names)
        columns[name][minute % DAY_MINUTES] = counts[name] ?? columns[name][minute % DAY_MINUTES] ?? 0;
    },
    read: (minute) => {
      const place = minute % DAY_MINUTES;
      if (columns.minute[place] !== minute) return undefined;
      const counts = names.map((name) => [name, columns[name][place] ?? 0] as const);
      // Each name has its count.
      return { minute, ...Object.fromEntries(counts) } as Readonly<Record<Name | 'minute', number>>;
    },
  };
}

function createColumns<Name extends string>(names: readonly Name[]): CountColumns<Name> {
  const columns = ['minute', ...names].map((name) => [name, new Uint32Array(DAY_MINUTES)] as const);
  return Object.fromEntries(columns) as CountColumns<Name>; // Each name has its column.
}
