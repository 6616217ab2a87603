import { type ReactNode, useState } from 'react';
import type { ConsoleLine } from '../../contract/console.ts';
import { Empty, Panel } from '../parts/panel.tsx';
import { STATUS_TEXTS, TEXTS } from '../texts.ts';
import type { LineFilter, StateFilter } from './order-lines.ts';
import styles from './lines-panel.module.css';
import { LinesTable } from './lines-table.tsx';
import { useShownLines } from './use-shown-lines.ts';

const NO_FILTER: LineFilter = { text: '', state: 'all' };
const NO_LINES: readonly ConsoleLine[] = [];
const STATES: readonly (readonly [StateFilter, string])[] = [
  ['all', TEXTS.allStates],
  ['trouble', TEXTS.inTrouble],
  ['up', STATUS_TEXTS.up],
  ['degraded', STATUS_TEXTS.degraded],
  ['down', STATUS_TEXTS.down],
  ['unknown', STATUS_TEXTS.unknown],
];

type LinesPanelProps = {
  /** Undefined until they are loaded. */
  readonly lines: readonly ConsoleLine[] | undefined;
  readonly now: number;
  readonly hasFailed: boolean;
};

/** Every line, to be sorted and filtered. */
export function LinesPanel({ lines, now, hasFailed }: LinesPanelProps): ReactNode {
  const [filter, setFilter] = useState(NO_FILTER);
  const view = useShownLines(lines ?? NO_LINES, filter);
  return (
    <Panel title={TEXTS.lines} note={TEXTS.linesNote} id="lines">
      <form className={styles.filter} role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          className={styles.control}
          type="search"
          aria-label={TEXTS.filter}
          placeholder={TEXTS.filterHint}
          value={filter.text}
          onChange={({ currentTarget }) => setFilter({ ...filter, text: currentTarget.value })}
        />
        <select
          className={styles.control}
          aria-label={TEXTS.state}
          value={filter.state}
          onChange={({ currentTarget }) =>
            // The options are exactly these.
            setFilter({ ...filter, state: currentTarget.value as StateFilter })
          }
        >
          {STATES.map(([state, text]) => (
            <option key={state} value={state}>
              {text}
            </option>
          ))}
        </select>
      </form>
      {lines === undefined ? (
        <Empty>{hasFailed ? TEXTS.viewFailed : TEXTS.loading}</Empty>
      ) : view.shown.length > 0 ? (
        <LinesTable {...view} now={now} />
      ) : (
        <Empty>
          {TEXTS.noMatch}{' '}
          <button className={styles.clear} type="button" onClick={() => setFilter(NO_FILTER)}>
            {TEXTS.clearFilter}
          </button>
        </Empty>
      )}
    </Panel>
  );
}
