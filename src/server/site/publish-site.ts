import { targetFilePath } from '../../contract/paths.ts';
import type { Locale } from '../../contract/site/locales.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import type { CallerRules } from '../caller/find-caller.ts';
import type { AddressDatabase } from '../caller/open-address-database.ts';
import { type AddressRanges, createAddressRanges } from '../caller/address-ranges.ts';
import { type RegionRules, createRegionRules } from '../caller/create-region-rules.ts';
import {
  type AnswerHeaders,
  type PreparedAnswer,
  type PreparedFiles,
  prepareAnswer,
} from '../http/prepare-answer.ts';
import { type LineTable, createLineTable } from './create-line-table.ts';
import type { LoadedSite } from './load-site.ts';
import { localizeSite } from './localize-site.ts';
import { type MatchLocale, createMatchLocale } from './create-match-locale.ts';
import type { Site } from './parse-site.ts';
import { type SiteImages, REVALIDATED, prepareImages } from './prepare-images.ts';
import { BY_LANGUAGE, type Pages, type RenderDeps, renderPages } from './render-pages.ts';

/** A site as it is served: everything that can be prepared before a request is prepared. */
export type PublishedSite = {
  readonly version: number;
  /** The hash of its folder's content: two servers with the same hash serve the same. */
  readonly hash: string;
  readonly config: SiteConfig;
  /** Finds the site's language for one that a browser asks for. */
  readonly matchLocale: MatchLocale;
  readonly pages: Pages;
  /** The links config in each language. */
  readonly links: ReadonlyMap<Locale, PreparedAnswer>;
  /** The addresses of each `/t` target, by the path of its file. */
  readonly targetFiles: PreparedFiles;
  readonly images: SiteImages;
  readonly lines: LineTable;
  readonly callerRules: CallerRules;
  /** Addresses that many visitors share. Only two limits apply to them: reports, and visits that count as load. */
  readonly exempt: AddressRanges;
  readonly regions: RegionRules;
  readonly systemOf: AddressDatabase['systemOf'];
  /** Who owns an autonomous system such as `AS64500`, if it is known. */
  readonly ownerOf: (system: string) => string | undefined;
};

export type PublishDeps = Omit<RenderDeps, 'imageOf'> & {
  /** Proxies to believe in addition to those that the site folder names. */
  readonly trustedProxies?: readonly string[];
};

/** Makes a loaded site ready to be served. */
export async function publishSite(
  loaded: Pick<LoadedSite, 'site' | 'addressDatabase' | 'hash'>,
  version: number,
  deps: PublishDeps,
): Promise<PublishedSite> {
  const { site, addressDatabase } = loaded;
  const { config } = site;
  const images = await prepareImages(site.images, deps.compression);
  const [pages, links, targetFiles] = await Promise.all([
    renderPages(site, { ...deps, imageOf: images.imageOf }),
    prepareLinks(site),
    Promise.all(
      [...site.targets].map(
        async ([name, { json }]) => [targetFilePath(name), await prepareJson(json)] as const,
      ),
    ),
  ]);
  return {
    version,
    hash: loaded.hash,
    config,
    matchLocale: createMatchLocale(config.locales),
    pages,
    links,
    targetFiles: new Map(targetFiles),
    images,
    lines: createLineTable(config.lines),
    callerRules: {
      proxies: createAddressRanges([...config.network.trustedProxies, ...(deps.trustedProxies ?? [])]),
      clientAddressHeader: config.network.clientAddressHeader.toLowerCase(),
    },
    exempt: createAddressRanges(config.limits.exempt),
    regions: createRegionRules(config, addressDatabase),
    systemOf: (address) => addressDatabase?.systemOf(address),
    ownerOf: (system) => addressDatabase?.ownerOf?.(system),
  };
}

/** Renders a published site's pages again, because they change with the day and with the time. */
export async function rerenderSite(
  published: PublishedSite,
  { site }: LoadedSite,
  deps: PublishDeps,
): Promise<PublishedSite> {
  return { ...published, pages: await renderPages(site, { ...deps, imageOf: published.images.imageOf }) };
}

/** A JSON file as it is served: asked for each time, and sent only if it has changed. */
export function prepareJson(body: string, headers: AnswerHeaders = {}): Promise<PreparedAnswer> {
  return prepareAnswer({
    body,
    type: 'application/json; charset=utf-8',
    headers: { ...REVALIDATED, ...headers },
    compression: 9,
  });
}

/** The links config in each language: pages get plain links, whatever the site folder has. */
async function prepareLinks(site: Site): Promise<PublishedSite['links']> {
  const prepared = site.config.locales.map(async (locale) => {
    const { links } = localizeSite(site, locale);
    const headers = { ...BY_LANGUAGE, 'Content-Language': locale };
    return [locale, await prepareJson(JSON.stringify(links), headers)] as const;
  });
  return new Map(await Promise.all(prepared));
}
