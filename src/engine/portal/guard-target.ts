import { parseHost } from '../../contract/site/parse-host.ts';
import { TARGET_PATTERN, TYPE_REDIRECT_PATH } from '../../contract/paths.ts';

export type GuardedTarget =
  | { readonly kind: 'target'; readonly target: string }
  /** No target was given. It is the first label of the host name. */
  | { readonly kind: 'default'; readonly target: string }
  /** The host is not allowed, or the target is malformed. The visitor goes to the landing page. */
  | { readonly kind: 'refused' };

export type GuardedPlace = {
  /** Without a port. */
  readonly hostname: string;
  /** `/t`, and what follows it. A slash at the end is ignored. */
  readonly path: string;
  readonly allowedHosts: readonly string[];
};

/**
 * Decides which target `/t` is asked for. The server and the page use the same rule, because a page may be hosted
 * without a server.
 */
export function guardTarget({ hostname, path, allowedHosts }: GuardedPlace): GuardedTarget {
  const asked = canonicalName(hostname);
  if (!asked || !allowedHosts.some((allowed) => canonicalName(allowed) === asked)) return { kind: 'refused' };
  return readTarget(path, asked);
}

/** Reads the target of a path on any host. The host's name is in lower case and in punycode. */
export function readTarget(path: string, hostname: string): GuardedTarget {
  const given = path.slice(TYPE_REDIRECT_PATH.length + 1).replace(/\/$/, '');
  const target = given || (hostname.split('.')[0] ?? '');
  if (!TARGET_PATTERN.test(target)) return { kind: 'refused' };
  return { kind: given ? 'target' : 'default', target };
}

/** Names are compared in lower case and in punycode, without a dot at the end. */
function canonicalName(name: string): string | undefined {
  const parts = parseHost(name.replace(/\.$/, ''));
  return parts.kind === 'host' ? parts.hostname : undefined;
}
