export const LINK_NAMES = ['ub', 'esb', 'wallet', 'telegram', 'service'] as const;

export type LinkName = (typeof LINK_NAMES)[number];

/** The links config. A missing or bad link is left out: only its own control is disabled. */
export type LinksConfig = { readonly [Name in LinkName]?: string };

const WEB_SCHEMES = ['https:', 'http:'];
const CONTACT_SCHEMES = [...WEB_SCHEMES, 'mailto:', 'tg:'];

/** Reads the usable links of a links config. Undefined if it is no object. */
export function parseLinks(body: unknown): LinksConfig | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const given = body as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    LINK_NAMES.filter((name) => isLink(given[name], name)).map((name) => [name, given[name]]),
  );
}

/** Whether something is a usable link of this name. */
export function isLink(link: unknown, name: LinkName): link is string {
  try {
    return typeof link === 'string' && schemesOf(name).includes(new URL(link).protocol);
  } catch {
    return false; // Not a URL at all.
  }
}

/** The schemes that a link of this name may have. */
export function schemesOf(name: LinkName): readonly string[] {
  return name === 'service' || name === 'telegram' ? CONTACT_SCHEMES : WEB_SCHEMES;
}
