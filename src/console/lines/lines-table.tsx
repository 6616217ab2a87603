import type { ReactNode } from 'react';
import { MINUTE_MS } from '../../contract/time-units.ts';
import { useLocale } from '../locale/locale.ts';
import type { Texts } from '../locale/en.ts';
import tables from '../parts/table.module.css';
import { LineRow } from './line-row.tsx';
import styles from './lines-table.module.css';
import type { SortKey } from './order-lines.ts';
import type { ShownLines } from './use-shown-lines.ts';

type Column = {
  readonly key: SortKey;
  readonly text: keyof Pick<
    Texts,
    'state' | 'line' | 'since' | 'handedOut' | 'tried' | 'reached' | 'median' | 'within95' | 'networks'
  >;
  readonly isNumber?: boolean;
  /** Left out on a phone. */
  readonly isWide?: boolean;
  /** Left out on a tablet, too. */
  readonly isWidest?: boolean;
};

/** The columns that can be sorted: before the picture, and behind it. */
const NAMES: readonly Column[] = [
  { key: 'status', text: 'state' },
  { key: 'host', text: 'line' },
];
const NUMBERS: readonly Column[] = [
  { key: 'since', text: 'since', isWide: true, isWidest: true },
  { key: 'handedOut', text: 'handedOut', isNumber: true, isWide: true },
  { key: 'tried', text: 'tried', isNumber: true, isWide: true, isWidest: true },
  { key: 'reached', text: 'reached', isNumber: true },
  { key: 'p50', text: 'median', isNumber: true },
  { key: 'p95', text: 'within95', isNumber: true, isWide: true, isWidest: true },
  { key: 'failingNetworks', text: 'networks', isNumber: true, isWide: true },
];

type LinesTableProps = ShownLines & { readonly now: number; readonly mayEdit: boolean };

/** The table of lines. No row moves while the pointer is in it, or the focus in a row. */
export function LinesTable({ shown, sorting, sortBy, setIsHeld, now, mayEdit }: LinesTableProps): ReactNode {
  const { texts } = useLocale();
  // Whole minutes, so that rows are not rendered again for each second.
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return (
    <div className={styles.scroll}>
      <table
        className={`${tables.table} ${styles.lines}`}
        onPointerEnter={() => setIsHeld(true)}
        onPointerLeave={({ currentTarget }) =>
          setIsHeld(currentTarget.querySelector('tbody:focus-within') !== null)
        }
      >
        <thead>
          <tr>
            {NAMES.map(drawHead)}
            <th scope="col" data-picture>
              {texts.hour}
            </th>
            {NUMBERS.map(drawHead)}
          </tr>
        </thead>
        <tbody
          onFocus={() => setIsHeld(true)}
          onBlur={({ currentTarget }) => setIsHeld(currentTarget.closest('table:hover') !== null)}
        >
          {shown.map((line) => (
            <LineRow key={line.id} line={line} minute={minute} mayEdit={mayEdit} />
          ))}
        </tbody>
      </table>
    </div>
  );

  function drawHead({ key, text, isNumber, isWide, isWidest }: Column): ReactNode {
    return (
      <th
        key={key}
        scope="col"
        aria-sort={sorting.key !== key ? undefined : sorting.isDescending ? 'descending' : 'ascending'}
        data-number={isNumber}
        data-wide={isWide}
        data-tablet={isWidest}
        data-p50={key === 'p50' || undefined}
      >
        <button className={styles.sort} type="button" onClick={() => sortBy(key)}>
          {texts[text]}
          <span className={styles.arrow} aria-hidden="true">
            {sorting.key === key && (sorting.isDescending ? '▾' : '▴')}
          </span>
        </button>
      </th>
    );
  }
}
