import type { ReactNode } from 'react';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { ByLanguage } from './by-language.tsx';
import { FIELDS, type FieldName, type FieldSpec, placeOfField } from './fields.ts';
import { ValueField } from './value-field.tsx';

/** The field of a value that is in the list of fields. */
export function Field({ name }: { readonly name: FieldName }): ReactNode {
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
