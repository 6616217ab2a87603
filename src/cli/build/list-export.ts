import { MAX_ROWS } from '../../contract/limits.ts';
import { CALLER_PATH, HOSTNAMES_PATH, LINKS_PATH } from '../../contract/paths.ts';
import { LOCALES, type Locale } from '../../contract/site/locales.ts';
import type { PageKind } from '../../contract/page/page-data.ts';
import type { PreparedAnswer, PreparedFiles } from '../../server/http/prepare-answer.ts';
import { type PublishedSite, prepareJson } from '../../server/site/publish-site.ts';

/** A file of the export: what `waypost serve` would answer with under its path. */
export type ExportedFile = {
  /** In the export, with a slash in front. */
  readonly path: string;
  readonly answer: PreparedAnswer;
};

export type ExportedPage = ExportedFile & { readonly kind: PageKind; readonly locale: Locale };

/** The names of the pages' files, as hosts that know nothing of our routes expect them. */
export const PAGE_NAMES: Readonly<Record<PageKind, string>> = {
  landing: 'index',
  redirect: 'r',
  'type-redirect': 't',
  'not-found': '404',
};

/** Lists every file of a site: the pages in every language, and all that they ask for. */
export function listExport(
  site: PublishedSite,
  assets: PreparedFiles,
): { readonly pages: readonly ExportedPage[]; readonly files: readonly ExportedFile[] } {
  const pages = Object.entries(PAGE_NAMES).flatMap(([name, file]) =>
    LOCALES.map((locale) => {
      const kind = name as PageKind; // The keys of a record of page kinds.
      return {
        kind,
        locale,
        path: `/${file}.${locale}.html`,
        answer: site.pages.get({ kind, locale, isRestricted: false }),
      };
    }),
  );
  // For hosts that cannot choose a language.
  const defaults = pages
    .filter(({ locale }) => locale === site.config.defaultLocale)
    .map(({ kind, answer }) => ({ path: `/${PAGE_NAMES[kind]}.html`, answer }));
  const served = [...assets, ...site.images.answers, [LINKS_PATH, site.links] as const, ...site.targetFiles];
  return { pages, files: [...served.map(([path, answer]) => ({ path, answer })), ...defaults] };
}

/**
 * The answers to the calls of an exported page. At most four lines are in them, because no visitor is ever told of more. Plain
 * files do not know who is calling, and hand out no ticket: pages go on without, and report nothing.
 */
export async function prepareApi({ lines }: Pick<PublishedSite, 'lines'>): Promise<readonly ExportedFile[]> {
  const hosts = lines.lines.slice(0, MAX_ROWS).map(({ written }) => written);
  return [
    { path: CALLER_PATH, answer: await prepareJson('{}') },
    { path: HOSTNAMES_PATH, answer: await prepareJson(JSON.stringify(hosts)) },
  ];
}
