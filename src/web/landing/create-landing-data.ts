import { DEFAULT_TAG_URL } from '../../contract/page/analytics-events.ts';
import type { PageRequest, PageSite } from '../../contract/page/page-data.ts';
import type { ConsentTexts } from '../kit/consent/create-consent.ts';
import { type PageData, createPageData } from '../kit/document/page-data.ts';
import type { PageContent } from '../kit/page/create-page-content.ts';
import type { Texts } from '../../contract/site/text-keys.ts';
import type { CountsScript, TagSettings } from '../watching/analytics/start-analytics.ts';

/** What the renderer writes into the landing page for its scripts: what it shows, and what watches it. */
export type LandingData = PageData & {
  readonly content: PageContent;
  /** Beams of light show the race. */
  readonly beams?: true | undefined;
  /** Undefined in a shell, which sends nothing. */
  readonly observation?: ObservationSettings | undefined;
};

export type ObservationSettings = {
  /** Undefined where no tag is configured. */
  readonly tag?: TagSettings | undefined;
  /** Undefined where the portal counts nothing. */
  readonly counts?: CountsScript | undefined;
  /** Undefined where no intake is configured. */
  readonly monitoring?: PageSite['monitoring'] | undefined;
  /** Undefined where the visitor is not asked. */
  readonly consentTexts?: ConsentTexts | undefined;
};

/** Creates the data of the landing page. It has only the analytics and monitoring that are configured. */
export function createLandingData(
  request: PageRequest,
  { content, texts, countsUrl }: { content: PageContent; texts: Texts; countsUrl: string },
): LandingData {
  const { analytics, monitoring, consent } = request.site;
  return {
    ...createPageData(request),
    content,
    beams: request.site.theme.beams || undefined,
    observation: request.isShell
      ? undefined
      : {
          tag: createTag(analytics),
          counts:
            analytics.counts === 'off'
              ? undefined
              : { url: countsUrl, withoutConsent: analytics.countsWithoutConsent },
          monitoring: monitoring.intakeUrl === '' ? undefined : monitoring,
          consentTexts: consent === 'required' ? pickConsentTexts(texts) : undefined,
        },
  };
}

/** Creates the settings of the page tag, if one is configured. Its address carries the measurement id. */
export function createTag({
  measurementId,
  tagUrl,
}: Pick<PageSite['analytics'], 'measurementId' | 'tagUrl'>): TagSettings | undefined {
  if (measurementId === '') return undefined;
  const url = new URL(tagUrl || DEFAULT_TAG_URL);
  url.searchParams.set('id', measurementId);
  return { url: url.href, measurementId };
}

function pickConsentTexts(texts: Texts): ConsentTexts {
  const { consentTitle, consentText, consentAgree, consentRefuse } = texts;
  return { consentTitle, consentText, consentAgree, consentRefuse };
}
