import type { Texts } from '../texts/texts.ts';

/** The texts of the question, which travel only where it is asked. */
export type ConsentTexts = Pick<Texts, 'consentTitle' | 'consentText' | 'consentAgree' | 'consentRefuse'>;

export function pickConsentTexts(texts: Texts): ConsentTexts {
  const { consentTitle, consentText, consentAgree, consentRefuse } = texts;
  return { consentTitle, consentText, consentAgree, consentRefuse };
}
