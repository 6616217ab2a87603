import type { CampaignNote, PageEnd } from '../../contract/page/campaign-page.ts';
import { LANDING_PATH, TYPE_REDIRECT_PATH } from '../../contract/paths.ts';
import { type CampaignEnd, type Platform, readCampaignEnd } from '../../contract/site/campaign-ends.ts';
import { type Campaign, type CampaignRule, fitsRule } from '../../contract/site/campaign-settings.ts';
import type { LinkName, LinksConfig } from '../../contract/site/links-config.ts';
import { guardTarget } from '../../engine/portal/guard-target.ts';
import type { TimeWindow } from './time-windows.ts';

/** Who follows a link. */
export type CampaignVisitor = {
  readonly platform: Platform;
  /** Two letters. Empty if unknown. */
  readonly country: string;
  /** The name under which the portal was asked. */
  readonly hostname: string;
};

/** What a link may lead to, in one language. */
export type CampaignPlaces = {
  readonly links: LinksConfig;
  /** The hosts on which `/t` works. */
  readonly allowedHosts: readonly string[];
};

/** The page that a link opens, and where that page takes the visitor. */
export type ChosenPage = {
  readonly kind: 'landing' | 'redirect' | 'type-redirect';
  readonly end: PageEnd;
};

/** What a campaign or one of its rules says of the end. */
type Ending = Pick<Campaign, 'path' | 'query'> & { readonly to: CampaignEnd };

const LANDING: ChosenPage = { kind: 'landing', end: {} };
/** The Android-only browser. All other links are for every device. */
const ANDROID_LINK: LinkName = 'esb';

/** Chooses the page for somebody. The landing page takes the place of what this visitor cannot have. */
export function chooseCampaignPage(
  campaign: Campaign,
  { platform, country, hostname }: CampaignVisitor,
  { links, allowedHosts }: CampaignPlaces,
): ChosenPage {
  const rule = campaign.by.find((each) => fitsRule(each, platform, country));
  const { to, path, query } = applyRule(campaign, rule);
  switch (to.kind) {
    case 'line':
      return { kind: 'redirect', end: { path, query } };
    case 'landing':
      return LANDING;
    case 'target': {
      const { target } = to;
      const guarded = guardTarget({ hostname, path: `${TYPE_REDIRECT_PATH}/${target}`, allowedHosts });
      return guarded.kind === 'target' ? { kind: 'type-redirect', end: { target } } : LANDING;
    }
    case 'link': {
      const go = findLink(to.link, links, [platform]);
      return go ? { kind: 'redirect', end: { go } } : LANDING;
    }
  }
}

/** The same end for the page of `/r`, which can only go there. */
export function describePageEnd({ kind, end }: ChosenPage): PageEnd {
  switch (kind) {
    case 'redirect':
      return end;
    case 'landing':
      return { go: LANDING_PATH };
    case 'type-redirect':
      return { go: `${TYPE_REDIRECT_PATH}/${end.target}` };
  }
}

/** Where a page goes by itself that is the same for everybody, after a rule or without one. */
export function describePlainEnd(
  campaign: Campaign,
  { links }: Pick<CampaignPlaces, 'links'>,
  rule?: CampaignRule,
): PageEnd {
  const { to, path, query } = applyRule(campaign, rule);
  switch (to.kind) {
    case 'line':
      return { path, query };
    case 'landing':
      return { go: LANDING_PATH };
    case 'target':
      return { go: `${TYPE_REDIRECT_PATH}/${to.target}` };
    case 'link':
      return { go: findLink(to.link, links, rule?.device ?? []) ?? LANDING_PATH };
  }
}

/** Why a link opens the landing page instead. Undefined while it works. */
export function findCampaignNote(campaign: TimeWindow | undefined, at: number): CampaignNote | undefined {
  if (campaign === undefined) return 'unknown';
  const { from, until } = campaign;
  if (from && at < Date.parse(from)) return 'soon';
  return until && at >= Date.parse(until) ? 'ended' : undefined;
}

function applyRule(campaign: Campaign, rule: CampaignRule | undefined): Ending {
  return {
    // The schema lets nothing else through.
    to: readCampaignEnd(rule?.to ?? campaign.to) ?? { kind: 'landing' },
    path: rule?.path ?? campaign.path,
    query: rule?.query ?? campaign.query,
  };
}

function findLink(name: LinkName, links: LinksConfig, platforms: readonly Platform[]): string | undefined {
  if (name === ANDROID_LINK && platforms.some((platform) => platform !== 'android')) return undefined;
  return links[name];
}
