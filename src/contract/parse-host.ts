export type HostParts = {
  readonly kind: 'host';
  /** The entry in its one canonical form, so that two ways to write a host are known as one. Without `https://`. */
  readonly host: string;
  readonly scheme: 'https' | 'http' | undefined;
  /** In the browser's canonical form: lower case, punycode, IPv6 in brackets. */
  readonly hostname: string;
  readonly port: number | undefined;
  readonly isIp: boolean;
};

export type HostRefusal = {
  readonly kind: 'refused';
  /** Completes the sentence "the host …". */
  readonly reason: string;
};

const SHAPE = /^(?:(https?):\/\/)?(\[[\da-f:.]+\]|[^[\]/?#@:\\%\s]+)(?::(\d{1,5}))?$/;
const FOREIGN = /[^\0-\x7f]/;
// Characters that nobody sees (control, formatting, private use), and those that a browser replaces by others before
// it looks up the name: "Changes When NFKC Casefolded" of Unicode, and the ideographic full stop.
const REPLACED = /[\p{C}\p{CWKCF}。]/u;
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;
const IP = /^(?:\[|[\d.]+$)/;

/** Reads a host entry, `[scheme://]host[:port]`, and refuses everything that is not a plain web host. */
export function parseHost(entry: string): HostParts | HostRefusal {
  const [, scheme, given, digits] = SHAPE.exec(entry.normalize().toLowerCase()) ?? [];
  if (!given) return refuse('is not of the form [scheme://]host[:port]');
  const port = digits === undefined ? undefined : Number(digits);
  if (port === 0 || (port ?? 1) > 65_535) return refuse('has a port outside 1 to 65535');
  const hostname = canonicalHostname(given);
  if (hostname === undefined) return refuse('is not a valid host name');
  return {
    kind: 'host',
    host: (scheme === 'http' ? 'http://' : '') + hostname + (port ? `:${port}` : ''),
    // The shape lets no other scheme through.
    scheme: scheme as HostParts['scheme'],
    hostname,
    port,
    isIp: IP.test(hostname),
  };
}

function refuse(reason: string): HostRefusal {
  return { kind: 'refused', reason };
}

function canonicalHostname(given: string): string | undefined {
  let hostname: string;
  try {
    ({ hostname } = new URL(`https://${given}`));
  } catch {
    return undefined; // The platform's own parser is the judge of IPv6 and of international names.
  }
  if (given.startsWith('[')) return hostname;
  if (hostname.length > 253 || !hostname.split('.').every((label) => LABEL.test(label))) return undefined;
  // A name may be written in its own script, but not in another alphabet that becomes plain letters or digits
  // ("ｇｏｏｄ.线路"), nor as a number that becomes an IP address ("0x7f.1"): what is shown to an operator must be
  // what is visited.
  const isPlain = FOREIGN.test(given) ? !REPLACED.test(given) : given === hostname;
  return isPlain ? hostname : undefined;
}
