import type { ReactNode } from 'react';
import { useLocale } from '../../locale/locale.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { type Place, placeBelow } from '../store/draft-files.ts';
import type { FieldSpec } from '../store/field-specs.ts';
import { ValueField } from './value-field.tsx';

const MOMENT: FieldSpec = { kind: 'moment', fallback: '' };

/** The fields for the beginning and the end of what is at a place. */
export function PeriodFields({ place }: { readonly place: Place }): ReactNode {
  const texts = useDeskTexts();
  const { zoneName } = useLocale();
  return (
    <>
      <ValueField place={placeBelow(place, 'from')} spec={MOMENT} label={texts.fromIn(zoneName)} />
      <ValueField place={placeBelow(place, 'until')} spec={MOMENT} label={texts.untilIn(zoneName)} />
    </>
  );
}
