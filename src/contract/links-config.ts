export const LINK_NAMES = ['ub', 'esb', 'wallet', 'telegram', 'service'] as const;

export type LinkName = (typeof LINK_NAMES)[number];

/** The links config. A link that is missing or bad is left out, and disables its own control only. */
export type LinksConfig = { readonly [Name in LinkName]?: string };

export type LinkFault = { readonly name: string; readonly reason: string };

const WEB_SCHEMES = ['https:', 'http:'];
const CONTACT_SCHEMES = [...WEB_SCHEMES, 'mailto:', 'tg:'];

/** Reads a links config: its usable links, and what is wrong with the others. Undefined where it is no object. */
export function parseLinks(
  body: unknown,
): { readonly links: LinksConfig; readonly faults: readonly LinkFault[] } | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const given = new Map<string, unknown>(Object.entries(body));
  const links: { -readonly [Name in LinkName]?: string } = {};
  const faults: LinkFault[] = [];
  for (const name of LINK_NAMES) {
    const link = given.get(name);
    const schemes = name === 'service' || name === 'telegram' ? CONTACT_SCHEMES : WEB_SCHEMES;
    given.delete(name);
    if (typeof link === 'string' && schemes.includes(schemeOf(link))) links[name] = link;
    else faults.push({ name, reason: `must be a link that starts with ${schemes.join(', ')}` });
  }
  for (const name of given.keys()) faults.push({ name, reason: 'is not a known link' });
  return { links, faults };
}

function schemeOf(link: string): string {
  try {
    return new URL(link).protocol;
  } catch {
    return ''; // Not a URL at all, and so of no allowed scheme.
  }
}
