import { type ReactNode, useState } from 'react';
import { type ConsoleLine, LINE_STATUSES } from '../../contract/console.ts';
import { useLocale } from '../locale/locale.ts';
import buttons from '../parts/buttons.module.css';
import fieldStyles from '../parts/field.module.css';
import { Empty, Loading, Panel } from '../parts/panel.tsx';
import type { LineFilter, StateFilter } from './order-lines.ts';
import styles from './lines-panel.module.css';
import { LinesTable } from './lines-table.tsx';
import { StripLegend } from './state-strip.tsx';
import { useShownLines } from './use-shown-lines.ts';

const NO_FILTER: LineFilter = { text: '', state: 'all' };
const NO_LINES: readonly ConsoleLine[] = [];
const STATES: readonly StateFilter[] = ['all', 'trouble', ...LINE_STATUSES];

type LinesPanelProps = {
  /** Undefined until they are loaded. */
  readonly lines: readonly ConsoleLine[] | undefined;
  readonly now: number;
  readonly hasFailed: boolean;
  readonly mayEdit: boolean;
};

/** Every line, to be sorted and filtered. */
export function LinesPanel({ lines, now, hasFailed, mayEdit }: LinesPanelProps): ReactNode {
  const { texts } = useLocale();
  const stateTexts = { all: texts.allStates, trouble: texts.inTrouble, ...texts.status };
  const [filter, setFilter] = useState(NO_FILTER);
  const view = useShownLines(lines ?? NO_LINES, filter);
  return (
    <Panel title={texts.lines} note={texts.linesNote} id="lines">
      <form className={styles.filter} role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          className={fieldStyles.input}
          type="search"
          aria-label={texts.filter}
          placeholder={texts.filterHint}
          value={filter.text}
          onChange={({ currentTarget }) => setFilter({ ...filter, text: currentTarget.value })}
        />
        <select
          className={fieldStyles.input}
          aria-label={texts.state}
          value={filter.state}
          onChange={({ currentTarget }) =>
            // The options are exactly these.
            setFilter({ ...filter, state: currentTarget.value as StateFilter })
          }
        >
          {STATES.map((state) => (
            <option key={state} value={state}>
              {stateTexts[state]}
            </option>
          ))}
        </select>
      </form>
      {lines === undefined ? (
        <Loading hasFailed={hasFailed} />
      ) : view.shown.length > 0 ? (
        <>
          <LinesTable {...view} now={now} mayEdit={mayEdit} />
          <StripLegend />
        </>
      ) : (
        <Empty>
          {texts.noMatch}{' '}
          <button className={buttons.button} type="button" onClick={() => setFilter(NO_FILTER)}>
            {texts.clearFilter}
          </button>
        </Empty>
      )}
    </Panel>
  );
}
