import type { ReactNode } from 'react';
import { useLocale } from '../locale/locale.ts';
import tables from './table.module.css';
import kit from './view.module.css';

export type Column = {
  readonly name: string;
  /** Left out on a phone. */
  readonly isWide?: boolean;
  /** Its cells hold pictures instead of numbers. */
  readonly isPicture?: boolean;
};

export type NumberRow = {
  readonly key: string;
  readonly name: ReactNode;
  readonly cells: readonly ReactNode[];
  readonly isChosen?: boolean;
};

type NumberTableProps = {
  readonly columns: readonly [Column, ...Column[]];
  readonly rows: readonly NumberRow[];
  /** The id of its heading. */
  readonly labelledBy?: string;
  /** A style beside that of every table. */
  readonly className?: string | undefined;
};

/** A table with names in its first column, and numbers in the others. */
export function NumberTable({
  columns: [first, ...others],
  rows,
  labelledBy,
  className = '',
}: NumberTableProps): ReactNode {
  return (
    <table className={`${tables.table} ${className}`} aria-labelledby={labelledBy}>
      <thead>
        <tr>
          <th scope="col">{first.name}</th>
          {others.map(({ name, isWide, isPicture }) => (
            <th
              key={name}
              scope="col"
              data-number={!isPicture || undefined}
              data-picture={isPicture}
              data-wide={isWide}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, cells, isChosen }) => (
          <tr key={key} data-chosen={isChosen || undefined}>
            <th scope="row">{name}</th>
            {others.map((column, index) => (
              <td
                key={column.name}
                data-number={!column.isPicture || undefined}
                data-picture={column.isPicture}
                data-wide={column.isWide}
              >
                {cells[index]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The numbers of a picture as a table, which is closed at first. */
export function AsTable(table: NumberTableProps): ReactNode {
  const { texts } = useLocale();
  return (
    <details className={kit.details}>
      <summary>{texts.asTable}</summary>
      <NumberTable {...table} />
    </details>
  );
}
