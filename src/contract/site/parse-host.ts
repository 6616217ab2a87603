export type HostParts = {
  readonly kind: 'host';
  /** The host's one name: the same for every way to write it. Without `https://`. */
  readonly host: string;
  readonly scheme: 'https' | 'http' | undefined;
  /** In the browser's canonical form: lower case, punycode, IPv6 in brackets. */
  readonly hostname: string;
  readonly port: number | undefined;
};

export type HostRefusal = {
  readonly kind: 'refused';
  /** Completes the sentence "the host …". */
  readonly reason: string;
};

const SHAPE = /^(?:(https?):\/\/)?(\[[\da-f:.]+\]|[^[\]/?#@:\\%\s]+)(?::([1-9]\d{0,4}))?$/;
const FOREIGN = /[^\0-\x7f]/;
// Invisible characters (control, formatting, private use), and those that a browser replaces before it looks up the
// name: Unicode's "Changes When NFKC Casefolded", and the ideographic full stop.
const REPLACED = /[\p{C}\p{CWKCF}。]/u;
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

const REFUSED: HostRefusal = { kind: 'refused', reason: 'is no plain host' };

/** Reads a host entry, `[scheme://]host[:port]`, and refuses everything that is not a plain web host. */
export function parseHost(entry: string): HostParts | HostRefusal {
  // A name has at most 253 letters, and to parse one of 10,000 Chinese letters takes a second.
  if (entry.length > 300) return REFUSED;
  const [, scheme, name = '', port] = SHAPE.exec(entry.normalize().toLowerCase()) ?? [];
  const hostname = canonicalHostname(name, port);
  if (!hostname) return REFUSED;
  return {
    kind: 'host',
    host: (scheme === 'http' ? 'http://' : '') + hostname + (port ? `:${port}` : ''),
    // The pattern allows no other scheme.
    scheme: scheme as HostParts['scheme'],
    hostname,
    port: port ? Number(port) : undefined,
  };
}

/** The one name of a line, however its entry is written: counts, metrics and views use it. A refused entry keeps its own. */
export function nameHost(entry: string): string {
  const parts = parseHost(entry);
  return parts.kind === 'host' ? parts.host : entry;
}

/** The name of a host and its port: the same by http and by https. A refused entry keeps its own. */
export function nameWithoutScheme(entry: string): string {
  const parts = parseHost(entry);
  if (parts.kind === 'refused') return entry;
  return parts.hostname + (parts.port === undefined ? '' : `:${parts.port}`);
}

function canonicalHostname(given: string, port = '1'): string | undefined {
  try {
    // The platform's own parser checks IPv6, ports and international names.
    const { hostname } = new URL(`https://${given}:${port}`);
    if (given.startsWith('[')) return hostname;
    // A name may be in its own script. It may not have characters that become plain letters ("ｇｏｏｄ.线路"), nor be a
    // number that becomes an IP address ("0x7f.1"): the operator must see what is visited.
    const isPlain = FOREIGN.test(given) ? !REPLACED.test(given) : given === hostname;
    const isName = hostname.length < 254 && hostname.split('.').every((label) => LABEL.test(label));
    return isPlain && isName ? hostname : undefined;
  } catch {
    return undefined; // Not a host at all.
  }
}
