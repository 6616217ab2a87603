import type { ReactNode } from 'react';
import { MAX_WHY_CHARS } from '../../../contract/limits.ts';
import { LabelledInput } from '../../parts/labelled-input.tsx';
import { useDeskTexts } from '../locale/use-desk-texts.ts';

/** Asks for the line of text that the list of versions shows. */
export function WhyField({
  why,
  onChange,
}: {
  readonly why: string;
  readonly onChange: (why: string) => void;
}): ReactNode {
  const texts = useDeskTexts();
  return (
    <LabelledInput
      label={texts.why}
      maxLength={MAX_WHY_CHARS}
      placeholder={texts.whyHint}
      value={why}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
