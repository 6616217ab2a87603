import { parseHost } from '../../contract/site/parse-host.ts';
import { TARGET_PATTERN, TYPE_REDIRECT_PATH } from '../../contract/paths.ts';

export type GuardedTarget =
  | { readonly kind: 'target'; readonly target: string }
  /** None was given: the first label of the host name is the target. */
  | { readonly kind: 'default'; readonly target: string }
  /** Not a host for `/t`, or not a target: the landing page is the place to go. */
  | { readonly kind: 'refused' };

export type GuardedPlace = {
  /** As a browser or a `Host` header gives it, without a port. */
  readonly hostname: string;
  /** `/t`, and what follows it. A slash at the end makes no difference. */
  readonly path: string;
  readonly allowedHosts: readonly string[];
};

/** Decides what `/t` is asked for. One rule for the server and the page, which may be hosted without a server. */
export function guardTarget({ hostname, path, allowedHosts }: GuardedPlace): GuardedTarget {
  const asked = canonicalName(hostname);
  if (!asked || !allowedHosts.some((allowed) => canonicalName(allowed) === asked)) return { kind: 'refused' };
  const given = path.slice(TYPE_REDIRECT_PATH.length + 1).replace(/\/$/, '');
  const target = given || (asked.split('.')[0] ?? '');
  if (!TARGET_PATTERN.test(target)) return { kind: 'refused' };
  return { kind: given ? 'target' : 'default', target };
}

/** A name may be written in its own script and in capitals. The dot at its end, which names the same host, is left out. */
function canonicalName(name: string): string | undefined {
  const parts = parseHost(name.replace(/\.$/, ''));
  return parts.kind === 'host' ? parts.hostname : undefined;
}
