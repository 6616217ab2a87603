import type { LinksConfig } from '../../contract/site/links-config.ts';
import { parseHost } from '../../contract/site/parse-host.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import type { Site } from '../../server/site/parse-site.ts';

type Content = Pick<Site, 'config' | 'links' | 'images' | 'targets'>;

/** Names that nobody can own: RFC 2606. */
const RESERVED_NAME = /(?:^|\.)(?:example|example\.(?:com|net|org))$/;

/** Finds what a site folder still has of the demo brand, and names that lead nowhere, one line each. */
export function findLeftovers(site: Content, demo: Content): readonly string[] {
  const kept = [
    ...findSame(readTexts(site.config), readTexts(demo.config)),
    ...findSame(readLinks(site.links), readLinks(demo.links)),
    ...findSame(readTargets(site), readTargets(demo)),
    ...findSameImages(site, demo),
  ];
  const reserved = listHosts(site.config).filter((host) => RESERVED_NAME.test(host));
  return [
    ...(kept.length === 0 ? [] : [`still the demo brand's: ${kept.join(', ')}`]),
    ...(reserved.length === 0 ? [] : [`names that can never be reached: ${reserved.join(', ')}`]),
  ];
}

function readTexts({ brand, compliance, lines }: SiteConfig): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(brand).map(([key, value]) => [`brand.${key}`, value] as const),
    ['lines.marker', lines.marker],
    ['compliance.operator', compliance.operator],
    ['compliance.licence.statement', compliance.licence.statement],
    ['compliance.licence.url', compliance.licence.url],
    ['compliance.responsiblePlayUrl', compliance.responsiblePlayUrl],
  ]);
}

function readLinks(links: LinksConfig): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(links).map(([name, link]) => [`json/link.json ${name}`, link]));
}

function readTargets({ targets }: Content): ReadonlyMap<string, unknown> {
  return new Map([...targets].map(([name, { hosts }]) => [`json/urls/${name}.json`, hosts]));
}

function findSame(mine: ReadonlyMap<string, unknown>, demo: ReadonlyMap<string, unknown>): readonly string[] {
  // As JSON, because a text may be an object by language.
  return [...mine].flatMap(([key, value]) =>
    value !== undefined && JSON.stringify(value) === JSON.stringify(demo.get(key)) ? [key] : [],
  );
}

function findSameImages(site: Content, demo: Content): readonly string[] {
  const demoImages = [...demo.images.values()];
  return [...site.images]
    .filter(([, bytes]) => demoImages.some((image) => image.equals(bytes)))
    .map(([path]) => path);
}

function listHosts({ lines, typeRedirect }: SiteConfig): readonly string[] {
  const lineHosts = lines.hosts.map(({ host }) => host);
  return [...lineHosts, ...lines.fallback, ...typeRedirect.allowedHosts].map((entry) => {
    const parts = parseHost(entry);
    return parts.kind === 'host' ? parts.hostname : entry;
  });
}
