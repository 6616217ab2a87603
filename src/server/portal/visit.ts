import type { Context, MiddlewareHandler } from 'hono';
import type { Closing } from '../../contract/api/closing.ts';
import { type Caller, type Connection, findCaller, isSecure } from '../caller/find-caller.ts';
import { type AppEnv, readConnection } from '../http/create-app.ts';
import { refuseMaintenance, refuseRegion } from '../http/errors.ts';
import type { AnswerHeaders } from '../http/prepare-answer.ts';
import { demandHttps } from '../http/security-headers.ts';
import type { SiteLine } from '../site/create-line-table.ts';
import type { PublishedSite } from '../site/publish-site.ts';

/** Who sent a request, and the site as it was when the request came. */
export type Visit = {
  readonly site: PublishedSite;
  readonly caller: Caller;
  readonly header: Connection['header'];
  /** True if the visitor's own connection is encrypted. It ends here, or at a trusted proxy. */
  readonly isSecure: boolean;
};

export type VisitEnv = AppEnv & {
  Variables: {
    visit: Visit;
    /** What every answer of the API carries, see `limitRate`. */
    apiHeaders: AnswerHeaders;
    /** The line whose page sent the request, see `allowLines`. */
    askingLine?: SiteLine;
  };
};
export type VisitContext = Context<VisitEnv>;

/** Finds out what every route needs to know of a request, and tells browsers that came by https to stay with it. */
export function findVisit(site: () => PublishedSite): MiddlewareHandler<VisitEnv> {
  return async (c, next) => {
    const visit = readVisit(readConnection(c), site());
    c.set('visit', visit);
    c.set('apiHeaders', {});
    await next();
    if (visit.isSecure) demandHttps(c.res.headers);
  };
}

/** Whether the visit comes from a region that the operator does not serve. */
export function isRestricted({ site, caller, header }: Visit): boolean {
  return site.regions.isRestricted(caller, header);
}

/** Why the site is closed for this visit. Undefined if it is open. */
export function findClosing(visit: Visit): Closing | undefined {
  if (isRestricted(visit)) return 'restricted';
  return visit.site.pages.closedBy && 'maintenance';
}

/** Refuses a program's request of a visit for which the site is closed. */
export function refuseIfClosed(visit: Visit): void {
  switch (findClosing(visit)) {
    case 'restricted':
      return refuseRegion();
    case 'maintenance':
      return refuseMaintenance(visit.site.pages.closedBy?.until);
    case undefined:
  }
}

/** The name in a `Host` header, without the port. */
export function readHostname(host = ''): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}

function readVisit(connection: Connection, site: PublishedSite): Visit {
  const caller = findCaller(connection, site.callerRules);
  return { site, caller, header: connection.header, isSecure: isSecure(connection, caller) };
}
