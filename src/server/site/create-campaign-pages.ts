import { isDeepStrictEqual } from 'node:util';
import type { CampaignData, CampaignNote, FillCampaign, PageEnd } from '../../contract/page/campaign-page.ts';
import type { PageImage, PageRequest, RenderPage } from '../../contract/page/page-data.ts';
import { CAMPAIGN_PREFIX } from '../../contract/paths.ts';
import { type ByLocale, pickLocale } from '../../contract/site/by-locale.ts';
import type { Campaign } from '../../contract/site/campaign-settings.ts';
import { IPAD_WORDS, listPlatformWords } from '../../contract/site/read-platform.ts';
import type { Locale } from '../../contract/site/locales.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import type { AnswerHeaders } from '../http/prepare-answer.ts';
import { findOrAdd } from '../process/find-or-add.ts';
import {
  type CampaignVisitor,
  type ChosenPage,
  type CampaignPlaces,
  chooseCampaignPage,
  describePageEnd,
  describePlainEnd,
  findCampaignNote,
} from './choose-campaign-end.ts';

/** Who follows a link, in which language, and when. */
export type CampaignVisit = CampaignVisitor & {
  readonly locale: Locale;
  /** Ms since 1970. */
  readonly at: number;
  /** The browser gives the name that a Mac and an iPad have. */
  readonly mayBeIpad?: boolean;
};

/** The page that a link opens for somebody. */
export type CampaignPage = {
  readonly html: string;
  readonly headers: AnswerHeaders;
  readonly status: 200 | 404 | 410;
  /** Why the link does not work. */
  readonly note: CampaignNote | undefined;
};

export type CampaignPages = {
  /** The page for a code, whether or not there is such a campaign. */
  readonly open: (code: string, visit: CampaignVisit) => CampaignPage;
  /** The same for everybody, as a plain file: rules by device are left to the page, and those by country are left out. */
  readonly openPlain: (code: string, locale: Locale, at: number) => CampaignPage;
  /** The page that says why a link does not work. It names no campaign. */
  readonly openNote: (note: CampaignNote, locale: Locale) => CampaignPage;
  readonly linksOf: (locale: Locale) => PageRequest['links'];
};

type CampaignPagesDeps = {
  readonly config: SiteConfig;
  readonly renderPage: RenderPage;
  readonly imageOf: (path: string) => PageImage;
  /** What the pages of a language are rendered with. */
  readonly requestOf: (locale: Locale) => Omit<PageRequest, 'kind'>;
  readonly buildHeaders: (request: PageRequest, page: ReturnType<RenderPage>) => AnswerHeaders;
};

/** What a page of `/c/CODE` chooses by the device itself. */
type EndsByDevice = NonNullable<CampaignData['by']>;

/** The page that a link opens, and what it adds to that page beside its code. */
type Content = { readonly kind: ChosenPage['kind']; readonly data: Omit<CampaignData, 'code'> };

type ShownLink = {
  /** Empty if no campaign is named. */
  readonly code: string;
  readonly locale: Locale;
  readonly note: CampaignNote | undefined;
  readonly campaign?: Campaign | undefined;
};

const LANDING: Content = { kind: 'landing', data: { end: {} } };
const STATUS: Readonly<Record<CampaignNote, CampaignPage['status']>> = {
  unknown: 404,
  soon: 200,
  ended: 410,
};

/** Creates the pages of `/c/CODE`. Each is rendered when the first visitor of its language asks for it, with room for the rest. */
export function createCampaignPages(deps: CampaignPagesDeps): CampaignPages {
  const { campaigns, typeRedirect } = deps.config;
  const templates = new Map<string, { readonly fill: FillCampaign; readonly headers: AnswerHeaders }>();
  const linksOf = (locale: Locale) => deps.requestOf(locale).links;

  return {
    linksOf,
    open: (code, visit) =>
      openPage(code, visit, (campaign) => {
        const places = { links: linksOf(visit.locale), ...typeRedirect };
        const { kind, end } = chooseCampaignPage(campaign, visit, places);
        const by = kind === 'redirect' && visit.mayBeIpad ? chooseForIpad(campaign, visit, places, end) : [];
        return { kind, data: { end, ...(by.length > 0 ? { by } : {}) } };
      }),
    openPlain: (code, locale, at) =>
      openPage(code, { locale, at }, (campaign) => {
        const places = { links: linksOf(locale) };
        const by = campaign.by
          .filter(({ country }) => !country)
          .map((rule) => ({
            words: listPlatformWords(rule.device ?? []),
            end: describePlainEnd(campaign, places, rule),
          }));
        const end = describePlainEnd(campaign, places);
        return { kind: 'redirect', data: { end, ...(by.length > 0 ? { by } : {}) } };
      }),
    openNote: (note, locale) => fillPage({ code: '', locale, note }, LANDING),
  };

  function openPage(
    code: string,
    { locale, at }: Pick<CampaignVisit, 'locale' | 'at'>,
    choose: (campaign: Campaign) => Content,
  ): CampaignPage {
    const campaign = Object.hasOwn(campaigns, code) ? campaigns[code] : undefined;
    const note = findCampaignNote(campaign, at);
    // A code that never was is not repeated to the visitor.
    const shown = { code: campaign ? code : '', locale, note, campaign };
    return fillPage(shown, campaign && !note ? choose(campaign) : LANDING);
  }

  function fillPage({ code, locale, note, campaign }: ShownLink, { kind, data }: Content): CampaignPage {
    const { fill, headers } = findTemplate(kind, locale);
    const share = describeShare(code, campaign, locale);
    const html = fill({ data: { ...data, code }, note, share });
    return { html, headers, status: note ? STATUS[note] : 200, note };
  }

  function describeShare(code: string, campaign: Campaign | undefined, locale: Locale) {
    const inLanguage = (value: string | ByLocale | undefined): string | undefined =>
      value === undefined ? undefined : pickLocale(value, locale);
    const image = inLanguage(campaign?.image);
    return {
      path: `${CAMPAIGN_PREFIX}${code}`,
      title: inLanguage(campaign?.title),
      description: inLanguage(campaign?.description),
      image: image && deps.imageOf(image).url,
    };
  }

  function findTemplate(kind: ChosenPage['kind'], locale: Locale) {
    return findOrAdd(templates, `${kind} ${locale}`, () => {
      const request: PageRequest = { ...deps.requestOf(locale), kind, isCampaign: true };
      const page = deps.renderPage(request);
      if (page.fill === undefined) throw new Error(`the page ${kind} has no room for a campaign`);
      return { fill: page.fill, headers: deps.buildHeaders(request, page) };
    });
  }
}

/** Where an iPad goes instead, which only the page can tell from a Mac. Nothing if both end alike, or if the page cannot go there. */
function chooseForIpad(
  campaign: Campaign,
  visitor: CampaignVisitor,
  places: CampaignPlaces,
  end: PageEnd,
): EndsByDevice {
  const chosen = chooseCampaignPage(campaign, { ...visitor, platform: 'ios' }, places);
  const onIpad = describePageEnd(chosen);
  return isDeepStrictEqual(onIpad, end) ? [] : [{ words: IPAD_WORDS, end: onIpad }];
}
