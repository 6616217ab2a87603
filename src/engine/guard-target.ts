import { TARGET_PATTERN, TYPE_REDIRECT_PATH } from '../contract/paths.ts';

export type GuardedTarget =
  | { readonly kind: 'target'; readonly target: string }
  /** None was given: the first label of the host name is the target. */
  | { readonly kind: 'default'; readonly target: string }
  /** Not a host for `/t`, or not a target: the landing page is the place to go. */
  | { readonly kind: 'refused' };

export type GuardedPlace = {
  /** In lower case, as browsers give it. */
  readonly hostname: string;
  /** `/t`, and what follows it. */
  readonly path: string;
  readonly allowedHosts: readonly string[];
};

/** Decides what `/t` is asked for. One rule for the server and the page, which may be hosted without a server. */
export function guardTarget({ hostname, path, allowedHosts }: GuardedPlace): GuardedTarget {
  if (!allowedHosts.some((allowed) => allowed.toLowerCase() === hostname)) return { kind: 'refused' };
  const given = path.slice(TYPE_REDIRECT_PATH.length + 1);
  const target = given || (hostname.split('.')[0] ?? '');
  if (!TARGET_PATTERN.test(target)) return { kind: 'refused' };
  return { kind: given ? 'target' : 'default', target };
}
