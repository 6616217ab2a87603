import type { PageRequest } from '../../contract/page/page-data.ts';
import { pickConsentTexts } from '../kit/consent/consent-texts.ts';
import type { Texts } from '../kit/texts/texts.ts';
import type { ObservationSettings } from './start-observation.ts';

/** Picks what watches the landing page out of what the server knows: only what is configured travels. */
export function pickObservation({ site }: PageRequest, texts: Texts): ObservationSettings {
  const { analytics, monitoring, consent } = site;
  return {
    analytics: analytics.measurementId === '' ? undefined : analytics,
    monitoring: monitoring.intakeUrl === '' ? undefined : monitoring,
    consentTexts: consent === 'required' ? pickConsentTexts(texts) : undefined,
  };
}
