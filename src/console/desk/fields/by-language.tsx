import { Fragment, type ReactNode } from 'react';
import { FALLBACK_KEY } from '../../../contract/site/locales.ts';
import { useLocale } from '../../locale/locale.ts';
import { Switch } from '../../parts/switch.tsx';
import { nameLanguage } from '../locale/name-language.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { updateValue } from '../store/changes.ts';
import { type Place, nameOf, placeBelow, readValue } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';
import fieldStyles from '../../parts/field.module.css';
import styles from './field-groups.module.css';

/** The value of one language, or the one for all. */
export type LanguageSlot = {
  readonly place: Place;
  /** The language. */
  readonly label: string;
  /** It is the one for all. */
  readonly isAlone: boolean;
};

export type ByLanguageProps = {
  readonly place: Place;
  readonly label: string;
  readonly help?: string | undefined;
  readonly children: (slot: LanguageSlot) => ReactNode;
};

/** A value that is the same for all languages, or has one for each, as the operator chooses. */
export function ByLanguage({ place, label, help, children }: ByLanguageProps): ReactNode {
  const texts = useDeskTexts();
  const { language } = useLocale();
  const { store, snapshot, languages, findLock } = useDesk();
  const value = readValue(snapshot.json, place);
  const byLanguage = readByLanguage(value);
  const slots: readonly LanguageSlot[] =
    byLanguage === undefined
      ? [{ place, label, isAlone: true }]
      : [FALLBACK_KEY, ...languages.locales].map((key) => ({
          place: placeBelow(place, key),
          label: key === FALLBACK_KEY ? texts.otherLanguages : nameLanguage(key, language),
          isAlone: false,
        }));
  return (
    <div className={styles.group} role="group" aria-label={label}>
      <div className={styles.legend}>
        <span className={fieldStyles.label} aria-hidden="true">
          {label}
        </span>
        {findLock(place.path) === undefined && (
          <Switch
            name={texts.languagesOf(label)}
            choices={[
              { value: 'one', text: texts.oneForAll },
              { value: 'many', text: texts.byLanguage },
            ]}
            value={byLanguage === undefined ? 'one' : 'many'}
            onChoose={choose}
          />
        )}
      </div>
      <div className={styles.languages}>
        {slots.map((slot) => (
          <Fragment key={nameOf(slot.place)}>{children(slot)}</Fragment>
        ))}
        {help !== undefined && <p className={fieldStyles.help}>{help}</p>}
      </div>
    </div>
  );

  function choose(choice: 'one' | 'many'): void {
    void store.save(`languages of ${nameOf(place)}`, [
      updateValue(place, (present) => {
        const values = readByLanguage(present);
        if ((choice === 'many') === (values !== undefined)) return present;
        return values === undefined ? { [FALLBACK_KEY]: present ?? '' } : pickOne(values);
      }),
    ]);
  }

  function pickOne(values: Readonly<Record<string, unknown>>): unknown {
    return values[FALLBACK_KEY] ?? values[languages.defaultLocale] ?? Object.values(values)[0];
  }
}

/** The values by language; undefined if there is one for all. */
function readByLanguage(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
