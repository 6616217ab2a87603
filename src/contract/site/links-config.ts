import { suggestKey } from './describe-issues.ts';

export const LINK_NAMES = ['ub', 'esb', 'wallet', 'telegram', 'service'] as const;

export type LinkName = (typeof LINK_NAMES)[number];

/** The links config. A missing or bad link is left out: only its own control is disabled. */
export type LinksConfig = { readonly [Name in LinkName]?: string };

export type LinkFault = { readonly name: string; readonly reason: string };

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

/** Finds what is wrong with the links that `parseLinks` leaves out. Only the server uses it. */
export function findLinkFaults(body: object): readonly LinkFault[] {
  const given = new Map<string, unknown>(Object.entries(body));
  const isKnown = (key: string): boolean => LINK_NAMES.some((name) => name === key);
  return [
    ...LINK_NAMES.filter((name) => !isLink(given.get(name), name)).map((name) => ({
      name,
      reason:
        given.get(name) === undefined
          ? `is missing: write "${name}": "https://…"`
          : `must be a link that starts with ${schemesOf(name).join(', ')}, got ${JSON.stringify(given.get(name))}`,
    })),
    ...[...given.keys()]
      .filter((key) => !isKnown(key))
      .map((name) => ({ name, reason: `is not a known link: ${suggestKey(name, LINK_NAMES)}` })),
  ];
}

function isLink(link: unknown, name: LinkName): boolean {
  try {
    return typeof link === 'string' && schemesOf(name).includes(new URL(link).protocol);
  } catch {
    return false; // Not a URL at all.
  }
}

function schemesOf(name: LinkName): readonly string[] {
  return name === 'service' || name === 'telegram' ? CONTACT_SCHEMES : WEB_SCHEMES;
}
