import type { ReactNode } from 'react';
import { useLocale } from '../locale/locale.ts';
import { Empty, Panel } from '../parts/panel.tsx';
import tables from '../parts/table.module.css';
import kit from '../parts/view.module.css';
import styles from './count-table.module.css';
import { useVisitorTexts } from './texts.ts';

export type Column = {
  readonly name: string;
  /** Left out on a phone. */
  readonly isWide?: boolean;
};

export type CountRow = {
  readonly key: string;
  readonly name: ReactNode;
  /** The length of its bar, as a part of the table's width, from 0 to 1. */
  readonly bar?: number;
  readonly cells: readonly string[];
};

/** Beyond this many, rows are in the CSV only, unless a table wants all of them. */
const MAX_ROWS = 12;

/** A part of the view: a table whose first column has a name, with a bar below it, and whose others have numbers. */
export function CountTable({
  id,
  title,
  note,
  columns: [first, ...others],
  rows,
  maxRows = MAX_ROWS,
  end,
}: {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly columns: readonly [Column, ...Column[]];
  readonly rows: readonly CountRow[];
  readonly maxRows?: number;
  /** Below the rows. */
  readonly end?: string;
}): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  return (
    <Panel title={title} id={id} {...(note === undefined ? {} : { note })}>
      {rows.length === 0 ? (
        <Empty>{texts.none}</Empty>
      ) : (
        <table className={`${tables.table} ${styles.counts}`} aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">{first.name}</th>
              {others.map(({ name, isWide }) => (
                <th key={name} scope="col" data-number data-wide={isWide}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, maxRows).map(({ key, name, bar, cells }) => (
              <tr key={key}>
                <th scope="row">
                  {name}
                  {bar !== undefined && <Bar part={bar} />}
                </th>
                {cells.map((cell, index) => (
                  <td key={others[index]?.name} data-number data-wide={others[index]?.isWide}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.length > maxRows && (
        <p className={kit.note}>{texts.moreRows(format.count(rows.length - maxRows))}</p>
      )}
      {end !== undefined && <p className={`${kit.note} ${styles.end}`}>{end}</p>}
    </Panel>
  );
}

/** What it shows is a number in the same row, so it is hidden from screen readers. */
function Bar({ part }: { readonly part: number }): ReactNode {
  return (
    <svg className={styles.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width={Math.round(part * 1_000) / 10} height="1" />
    </svg>
  );
}
