/** What the numbers of a column are: whole ones or not, and how many bytes each takes. */
export const COLUMN_KINDS = {
  f64: Float64Array,
  f32: Float32Array,
  u32: Uint32Array,
  u8: Uint8Array,
} as const;

export type ColumnKind = keyof typeof COLUMN_KINDS;
export type Column = InstanceType<(typeof COLUMN_KINDS)[ColumnKind]>;
/** The names of the columns, with their kinds. */
export type Columns = Readonly<Record<string, ColumnKind>>;
export type RowOf<C extends Columns> = { readonly [Name in keyof C]: number };

/** Rows with named numbers, which are kept column by column: so they take little room in a snapshot, and are packed well. */
export type Table<C extends Columns = Columns> = {
  readonly kinds: C;
  readonly addRow: (row: RowOf<C>) => void;
  /** Adds rows that are already in columns. Columns that are not given are 0. */
  readonly addColumns: (columns: { readonly [Name in keyof C]?: ArrayLike<number> }, rows: number) => void;
  readonly rowCount: () => number;
  readonly rows: () => Generator<RowOf<C>>;
  /** The numbers of a column. */
  readonly column: (name: string) => Column;
};

/** A table with any columns. */
export type AnyTable = Pick<Table, 'kinds' | 'rowCount' | 'column'>;

const FIRST_ROOM = 64;
const GROWTH = 1.5;

export function createTable<const C extends Columns>(
  kinds: C,
  columns?: ReadonlyMap<string, Column>,
): Table<C> {
  const names = Object.keys(kinds);
  let room = columns?.values().next().value?.length ?? FIRST_ROOM;
  let rowCount = columns === undefined ? 0 : room;
  let numbers = new Map<string, Column>(
    columns ?? names.map((name) => [name, new COLUMN_KINDS[kinds[name] ?? 'f64'](room)]),
  );

  return {
    kinds,
    addRow: (row) => {
      makeRoom(rowCount + 1);
      for (const name of names) setNumber(name, rowCount, row[name] ?? 0);
      rowCount += 1;
    },
    addColumns: (given, rows) => {
      makeRoom(rowCount + rows);
      for (const name of names) numbers.get(name)?.set(given[name] ?? [], rowCount);
      rowCount += rows;
    },
    rowCount: () => rowCount,
    rows: function* () {
      for (let index = 0; index < rowCount; index += 1) {
        const row: Record<string, number> = {};
        for (const name of names) row[name] = numbers.get(name)?.[index] ?? 0;
        yield row as RowOf<C>; // It has every name.
      }
    },
    column: (name) => numbers.get(name)?.subarray(0, rowCount) ?? new Float64Array(0),
  };

  function setNumber(name: string, index: number, number: number): void {
    const column = numbers.get(name);
    if (column !== undefined) column[index] = number;
  }

  function makeRoom(rows: number): void {
    if (rows <= room) return;
    room = Math.ceil(Math.max(rows, room * GROWTH));
    numbers = new Map(
      names.map((name) => {
        const column = new COLUMN_KINDS[kinds[name] ?? 'f64'](room);
        column.set(numbers.get(name) ?? []);
        return [name, column];
      }),
    );
  }
}
