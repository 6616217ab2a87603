import type { CampaignPage } from '../../server/site/create-campaign-pages.ts';
import { MAX_ROWS } from '../../contract/limits.ts';
import { CALLER_PATH, CAMPAIGN_PREFIX, HOSTNAMES_PATH, LINKS_PATH } from '../../contract/paths.ts';
import type { Locale } from '../../contract/site/locales.ts';
import type { PageKind } from '../../contract/page/page-data.ts';
import { type PreparedAnswer, type PreparedFiles, prepareAnswer } from '../../server/http/prepare-answer.ts';
import { type PublishedSite, prepareJson } from '../../server/site/publish-site.ts';

/** A file of the export, and the answer of `waypost serve` for its path. */
export type ExportedFile = {
  /** Its path in the export, with a slash in front. */
  readonly path: string;
  readonly answer: PreparedAnswer;
};

/** All pages but the one that only browsers with a service worker keep. */
export type ExportedKind = Exclude<PageKind, 'away'>;
/** The pages of links, and those that say that a link does not work. */
export type CampaignKind = 'campaign' | 'campaign-note';
export type ExportedPage = ExportedFile & {
  readonly kind: ExportedKind | CampaignKind;
  readonly locale: Locale;
};

/** The file names of the pages. Hosts that do not know our routes expect these. */
export const PAGE_NAMES: Readonly<Record<ExportedKind, string>> = {
  landing: 'index',
  redirect: 'r',
  'type-redirect': 't',
  'not-found': '404',
};

/** Lists every file of a site: the pages in every language, and everything that they load. */
export function listExport(
  site: PublishedSite,
  assets: PreparedFiles,
): {
  readonly pages: readonly (ExportedPage & { readonly kind: ExportedKind })[];
  readonly files: readonly ExportedFile[];
} {
  const pages = Object.entries(PAGE_NAMES).flatMap(([name, file]) =>
    site.config.locales.map((locale) => {
      const kind = name as ExportedKind; // The keys of a record of page kinds.
      return {
        kind,
        locale,
        path: `/${file}.${locale}.html`,
        answer: site.pages.get({ kind, locale, closing: site.pages.closedBy && 'maintenance' }),
      };
    }),
  );
  const links = [...site.links].map(([locale, answer]) => ({ locale, path: linksPathIn(locale), answer }));
  // For hosts that cannot choose a language.
  const isDefault = ({ locale }: { locale: Locale }): boolean => locale === site.config.defaultLocale;
  const defaults = [
    ...pages.filter(isDefault).map(({ kind, answer }) => ({ path: `/${PAGE_NAMES[kind]}.html`, answer })),
    ...links.filter(isDefault).map(({ answer }) => ({ path: LINKS_PATH, answer })),
  ];
  const served = [...assets, ...site.images.answers, ...(site.pages.closedBy ? [] : site.targetFiles)];
  return { pages, files: [...served.map(([path, answer]) => ({ path, answer })), ...links, ...defaults] };
}

/** The file of the links config in one language. */
export function linksPathIn(locale: Locale): string {
  return LINKS_PATH.replace('.json', `.${locale}.json`);
}

/**
 * Prepares the answers to the API calls of an exported page. They name four lines at most, because no visitor is told
 * of more, and none while a maintenance closes the site. Plain files do not know the caller and hand out no ticket, so pages report nothing.
 */
export async function prepareApi({
  lines,
  pages,
}: Pick<PublishedSite, 'lines' | 'pages'>): Promise<readonly ExportedFile[]> {
  const hosts = (pages.closedBy ? [] : lines.lines).slice(0, MAX_ROWS).map(({ written }) => written);
  return [
    { path: CALLER_PATH, answer: await prepareJson('{}') },
    { path: HOSTNAMES_PATH, answer: await prepareJson(JSON.stringify(hosts)) },
  ];
}

/** The codes that open a page of their own, and the pages for all others, which no code can name. */
export const NOTE_NAMES = { unknown: '_unknown', soon: '_soon', ended: '_ended' } as const;

export type ExportedCampaigns = {
  readonly pages: readonly ExportedPage[];
  /** In the default language, for hosts that cannot choose one. */
  readonly files: readonly ExportedFile[];
  /** The codes of campaigns that have not begun, and of those that are over. */
  readonly soon: readonly string[];
  readonly ended: readonly string[];
};

type NamedPage = {
  readonly name: string;
  readonly kind: CampaignKind;
  readonly open: (locale: Locale) => CampaignPage;
};

const NO_CAMPAIGNS: ExportedCampaigns = { pages: [], files: [], soon: [], ended: [] };

/** Prepares the page of each link in every language. While a maintenance closes the site, there are none. */
export async function prepareCampaigns(
  { config, pages }: Pick<PublishedSite, 'config' | 'pages'>,
  at: number,
): Promise<ExportedCampaigns> {
  if (pages.closedBy) return NO_CAMPAIGNS;
  const codes = Object.keys(config.campaigns);
  const noteOf = (code: string) => pages.campaigns.openPlain(code, config.defaultLocale, at).note;
  const soon = codes.filter((code) => noteOf(code) === 'soon');
  const ended = codes.filter((code) => noteOf(code) === 'ended');
  const open = codes.filter((code) => noteOf(code) === undefined);
  const { openPlain, openNote } = pages.campaigns;
  const named: readonly NamedPage[] = [
    ...open.map((code): NamedPage => ({
      name: code,
      kind: 'campaign',
      open: (locale) => openPlain(code, locale, at),
    })),
    // All that are over have the same page, and so have all that have not begun.
    ...(['unknown', 'soon', 'ended'] as const).map((note): NamedPage => ({
      name: NOTE_NAMES[note],
      kind: 'campaign-note',
      open: (locale) => openNote(note, locale),
    })),
  ];
  const prepared = await Promise.all(
    named.flatMap(({ name, kind, open: openPage }) =>
      config.locales.map(async (locale) => ({
        kind,
        locale,
        name,
        path: `${CAMPAIGN_PREFIX}${name}.${locale}.html`,
        answer: await prepareCampaign(openPage(locale)),
      })),
    ),
  );
  const files = prepared
    .filter(({ locale }) => locale === config.defaultLocale)
    .map(({ name, answer }) => ({ path: `${CAMPAIGN_PREFIX}${name}.html`, answer }));
  return { pages: prepared, files, soon, ended };
}

function prepareCampaign({ html, headers }: CampaignPage): Promise<PreparedAnswer> {
  return prepareAnswer({
    body: html,
    type: 'text/html; charset=utf-8',
    headers: { ...headers, 'Cache-Control': 'private, no-cache' },
    compression: 9,
  });
}
