import { type Caller, findCaller, isThroughProxy } from '../caller/find-caller.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import type { AppRequest } from '../http/exchange.ts';

/** One request, who sent it, and the site as it was when the request came. */
export type Visit = {
  readonly request: AppRequest;
  readonly site: PublishedSite;
  readonly caller: Caller;
  /** True where the visitor's own connection is encrypted, be it here or at a trusted proxy. */
  readonly isSecure: boolean;
};

/** Reads what every route needs to know of a request. */
export function readVisit(request: AppRequest, site: PublishedSite): Visit {
  const caller = findCaller(request, site.callerRules);
  const isSecure =
    request.isEncrypted || (isThroughProxy(caller) && readProxiedScheme(request.header) === 'https');
  return { request, site, caller, isSecure };
}

/** Whether the visit comes from a region that the operator does not serve. */
export function isRestricted({ site, caller, request }: Visit): boolean {
  return site.regions.isRestricted(caller, request.header);
}

function readProxiedScheme(header: AppRequest['header']): string | undefined {
  const forwarded = header('forwarded');
  const scheme =
    header('x-forwarded-proto')?.split(',')[0] ?? (forwarded && /proto="?(\w+)/i.exec(forwarded)?.[1]);
  return scheme?.trim().toLowerCase();
}
