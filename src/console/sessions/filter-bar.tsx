import { type ReactNode, useId } from 'react';
import type { SessionFilter, SessionSummary } from '../../contract/recordings.ts';
import { Check, LabelledSelect } from '../parts/labelled-input.tsx';
import fieldStyles from '../parts/field.module.css';
import styles from './filter-bar.module.css';
import { FIELDS, SWITCHES } from './filter-query.ts';
import { useSessionTexts } from './texts.ts';

type FilterBarProps = {
  readonly filter: SessionFilter;
  /** Their values are offered. */
  readonly seen: readonly SessionSummary[];
  readonly onChange: (filter: SessionFilter) => void;
};

/** The filters of the list. Each works when it is changed, a written one when its field is left or Enter is pressed. */
export function FilterBar({ filter, seen, onChange }: FilterBarProps): ReactNode {
  const texts = useSessionTexts();
  const id = useId();
  return (
    <form
      className={fieldStyles.row}
      aria-label={texts.filters}
      onSubmit={(event) => {
        event.preventDefault();
        // Leaving the field takes what is written there.
        if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
      }}
    >
      <div className={styles.checks}>
        {SWITCHES.map((name) => (
          <Check
            key={name}
            label={texts.marks[name]}
            isChecked={filter[name] === true}
            onChange={(isChecked) => onChange({ ...filter, [name]: isChecked })}
          />
        ))}
      </div>
      <LabelledSelect
        label={texts.device}
        value={filter.device ?? ''}
        onChange={({ currentTarget: { value } }) => {
          const { device: _before, ...others } = filter;
          onChange(value === 'mobile' || value === 'pc' ? { ...others, device: value } : others);
        }}
      >
        <option value="">{texts.any}</option>
        <option value="mobile">{texts.devices.mobile}</option>
        <option value="pc">{texts.devices.pc}</option>
      </LabelledSelect>
      {FIELDS.map((name) => (
        <div key={name} className={fieldStyles.field}>
          <label className={fieldStyles.label} htmlFor={id + name}>
            {texts[name]}
          </label>
          <input
            className={fieldStyles.input}
            // A filter that comes with another link replaces what is written here.
            key={filter[name]}
            id={id + name}
            type={name === 'day' ? 'date' : 'text'}
            list={name === 'day' ? undefined : `${id}${name}s`}
            autoComplete="off"
            defaultValue={filter[name]}
            onBlur={({ currentTarget }) => {
              const value = currentTarget.value.trim();
              if (value !== (filter[name] ?? '')) onChange({ ...filter, [name]: value });
            }}
          />
          {name !== 'day' && (
            <datalist id={`${id}${name}s`}>
              {listValues(seen, name).map((value) => (
                <option key={value} value={value} />
              ))}
            </datalist>
          )}
        </div>
      ))}
    </form>
  );
}

/** What the sessions that are shown have in a field. */
function listValues(
  seen: readonly SessionSummary[],
  name: Exclude<(typeof FIELDS)[number], 'day'>,
): readonly string[] {
  const values = seen.flatMap((session) =>
    name === 'line'
      ? session.views.flatMap(({ entered }) => entered.map(({ host }) => host))
      : [session[name]],
  );
  return [...new Set(values)].filter((value) => value !== '').toSorted();
}
