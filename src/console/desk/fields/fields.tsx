import type { ReactNode } from 'react';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { ByLanguage } from './by-language.tsx';
import styles from './field-groups.module.css';
import { FIELDS, type FieldName, type FieldSpec, placeOfField } from './field-specs.ts';
import { ValueField } from './value-field.tsx';

/** The fields of some values. */
export function Fields({ names }: { readonly names: readonly FieldName[] }): ReactNode {
  return (
    <div className={styles.fields}>
      {names.map((name) => (
        <Field key={name} name={name} />
      ))}
    </div>
  );
}

function Field({ name }: { readonly name: FieldName }): ReactNode {
  const texts = useDeskTexts();
  const spec: FieldSpec = FIELDS[name];
  const { label, help } = texts.fields[name];
  const place = placeOfField(name);
  if (spec.isLocalized !== true) return <ValueField place={place} spec={spec} label={label} help={help} />;
  return (
    <ByLanguage place={place} label={label} help={help}>
      {(slot) =>
        slot.isAlone ? (
          <ValueField place={slot.place} spec={spec} label={label} labelAt="hidden" />
        ) : (
          // Only the value for all others must be there.
          <ValueField
            place={slot.place}
            spec={{ ...spec, fallback: '' }}
            label={slot.label}
            labelAt="beside"
          />
        )
      }
    </ByLanguage>
  );
}
