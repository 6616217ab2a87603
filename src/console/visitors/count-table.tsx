import type { ReactNode } from 'react';
import { useLocale } from '../locale/locale.ts';
import { type Column, type NumberRow, NumberTable } from '../parts/number-table.tsx';
import { Empty, Panel } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import styles from './count-table.module.css';
import { useVisitorTexts } from './texts.ts';

export type CountRow = Pick<NumberRow, 'key' | 'name' | 'cells'> & {
  /** The length of its bar, as a part of the table's width, from 0 to 1. */
  readonly bar?: number;
};

/** Beyond this many, rows are in the CSV only, unless a table wants all of them. */
const MAX_ROWS = 12;

/** A panel with a table of numbers. Below each name is a bar, if the row has one. */
export function CountTable({
  id,
  title,
  note,
  columns,
  rows,
  maxRows = MAX_ROWS,
  end,
}: {
  readonly id: string;
  readonly title: string;
  readonly note?: string | undefined;
  readonly columns: readonly [Column, ...Column[]];
  readonly rows: readonly CountRow[];
  readonly maxRows?: number;
  /** Below the rows. */
  readonly end?: string | undefined;
}): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  return (
    <Panel title={title} note={note} id={id}>
      {rows.length === 0 ? (
        <Empty>{texts.none}</Empty>
      ) : (
        <NumberTable
          labelledBy={id}
          className={styles.counts}
          columns={columns}
          rows={rows
            .slice(0, maxRows)
            .map(({ key, name, cells, bar }) => ({ key, name: addBar(name, bar), cells }))}
        />
      )}
      {rows.length > maxRows && (
        <p className={kit.note}>{texts.moreRows(format.count(rows.length - maxRows))}</p>
      )}
      {end !== undefined && <p className={`${kit.note} ${styles.end}`}>{end}</p>}
    </Panel>
  );
}

/** What the bar shows is a number in the same row, so it is hidden from screen readers. */
function addBar(name: ReactNode, part: number | undefined): ReactNode {
  if (part === undefined) return name;
  return (
    <>
      {name}
      <svg className={styles.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={Math.round(part * 1_000) / 10} height="1" />
      </svg>
    </>
  );
}
