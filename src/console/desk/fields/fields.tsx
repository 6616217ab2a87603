import type { ReactNode } from 'react';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { ByLanguage } from './by-language.tsx';
import styles from './field-groups.module.css';
import { FIELDS, type FieldName, type FieldSpec, placeOfField } from '../store/field-specs.ts';
import { ValueField, type ValueFieldProps } from './value-field.tsx';

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
  const field = { place: placeOfField(name), spec, ...texts.fields[name] };
  return spec.isLocalized === true ? <LocalizedField {...field} /> : <ValueField {...field} />;
}

type LocalizedFieldProps = Pick<ValueFieldProps, 'place' | 'spec' | 'label' | 'help'>;

/** The field of a value that may differ by language. */
export function LocalizedField({ place, spec, label, help }: LocalizedFieldProps): ReactNode {
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
