import { targetFilePath } from '../../contract/paths.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import { type CallerRules } from '../caller/find-caller.ts';
import type { AddressDatabase } from '../caller/open-address-database.ts';
import { type AddressRanges, createAddressRanges } from '../caller/address-ranges.ts';
import { type RegionRules, createRegionRules } from '../caller/region-rules.ts';
import { type PreparedAnswer, type PreparedFiles, prepareAnswer } from '../http/prepare-answer.ts';
import { type LineTable, createLineTable } from './line-table.ts';
import type { LoadedSite } from './load-site.ts';
import { type SiteImages, REVALIDATED, prepareImages } from './prepare-images.ts';
import { type Pages, type RenderDeps, renderPages } from './render-pages.ts';

/** A site as it is served: everything that can be prepared before a request is prepared. */
export type PublishedSite = {
  readonly version: number;
  /** The hash of its folder's content: two servers with the same hash serve the same. */
  readonly hash: string;
  readonly config: SiteConfig;
  readonly pages: Pages;
  readonly links: PreparedAnswer;
  /** The addresses of each `/t` target, by the path of its file. */
  readonly targetFiles: PreparedFiles;
  readonly images: SiteImages;
  readonly lines: LineTable;
  readonly callerRules: CallerRules;
  /** Addresses that many visitors share: no limit by address holds them. */
  readonly exempt: AddressRanges;
  readonly regions: RegionRules;
  readonly systemOf: AddressDatabase['systemOf'];
};

export type PublishDeps = Omit<RenderDeps, 'imageOf'> & {
  /** Proxies to believe in addition to those that the site folder names. */
  readonly trustedProxies?: readonly string[];
};

/** Makes a loaded site ready to be served. */
export async function publishSite(
  loaded: LoadedSite,
  version: number,
  deps: PublishDeps,
): Promise<PublishedSite> {
  const { site, addressDatabase } = loaded;
  const { config } = site;
  const images = await prepareImages(site.images);
  const [pages, links, targetFiles] = await Promise.all([
    renderPages(site, { ...deps, imageOf: images.imageOf }),
    prepareJson(JSON.stringify(site.links)),
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
  };
}

/** Renders a published site's pages anew: the addresses in them carry the day's name. */
export async function rerenderSite(
  published: PublishedSite,
  { site }: LoadedSite,
  deps: PublishDeps,
): Promise<PublishedSite> {
  return { ...published, pages: await renderPages(site, { ...deps, imageOf: published.images.imageOf }) };
}

/** A JSON file as it is served: asked for each time, and sent only if it has changed. */
export function prepareJson(body: string): Promise<PreparedAnswer> {
  return prepareAnswer({
    body,
    type: 'application/json; charset=utf-8',
    headers: REVALIDATED,
    compression: 9,
  });
}
