import { type ReactNode, useId, useState } from 'react';
import type { SessionFilter, SessionSummary } from '../../contract/recordings.ts';
import buttons from '../parts/buttons.module.css';
import { Check, LabelledSelect } from '../parts/labelled-input.tsx';
import fieldStyles from '../parts/field.module.css';
import kit from '../parts/view.module.css';
import styles from './filter-bar.module.css';
import { FIELDS, SWITCHES } from './filter-query.ts';
import { useSessionTexts } from './texts.ts';

/** What each written filter looks like. */
const EXAMPLES = { language: 'en', country: 'SG', network: 'SG/AS9506', line: 'a.example' };

type FilterBarProps = {
  readonly filter: SessionFilter;
  /** The sessions that are shown: their values are suggested. */
  readonly seen: readonly SessionSummary[];
  readonly onChange: (filter: SessionFilter) => void;
};

/** The filters of the list. Each works when it is changed, a written one when its field is left or Enter is pressed. */
export function FilterBar({ filter, seen, onChange }: FilterBarProps): ReactNode {
  const texts = useSessionTexts();
  const id = useId();
  // On a phone, the sessions come first.
  const [isOpen] = useState(
    () =>
      matchMedia('(min-width: 48rem)').matches ||
      FIELDS.some((name) => filter[name]) ||
      filter.device !== undefined,
  );
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
      <fieldset className={styles.only}>
        <legend className={fieldStyles.label}>{texts.only}</legend>
        <div className={styles.checks}>
          {SWITCHES.map((name) => (
            <Check
              key={name}
              label={texts.onlyMarks[name]}
              isChecked={filter[name] === true}
              onChange={(isChecked) => onChange({ ...filter, [name]: isChecked })}
            />
          ))}
        </div>
        <p className={fieldStyles.help}>{texts.onlyNote}</p>
      </fieldset>
      <details className={`${kit.details} ${styles.more}`} open={isOpen}>
        <summary>{texts.moreFilters}</summary>
        <div className={fieldStyles.row}>
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
                placeholder={name === 'day' ? undefined : texts.example(EXAMPLES[name])}
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
        </div>
      </details>
      <Chosen filter={filter} onChange={onChange} />
    </form>
  );
}

/** What the list is filtered by, in words. Each filter can be removed there. */
function Chosen({ filter, onChange }: Pick<FilterBarProps, 'filter' | 'onChange'>): ReactNode {
  const texts = useSessionTexts();
  const { device } = filter;
  const chosen = [
    ...SWITCHES.flatMap((name) => (filter[name] === true ? [{ name, text: texts.marks[name] }] : [])),
    ...(device === undefined
      ? []
      : [{ name: 'device' as const, text: texts.chosenFilter(texts.device, texts.devices[device]) }]),
    ...FIELDS.flatMap((name) => {
      const value = filter[name] ?? '';
      return value === '' ? [] : [{ name, text: texts.chosenFilter(texts[name], value) }];
    }),
  ];
  if (chosen.length === 0) return null;
  return (
    <div className={styles.chosen}>
      {texts.chosen}
      {chosen.map(({ name, text }) => (
        <button
          key={name}
          className={buttons.button}
          type="button"
          aria-label={texts.dropFilter(text)}
          onClick={() => {
            const { [name]: _dropped, ...others } = filter;
            onChange(others);
          }}
        >
          {text} ✕
        </button>
      ))}
    </div>
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
