import type { Context } from 'hono';
import { type Caller, type Connection, findCaller } from '../caller/find-caller.ts';
import type { PublishedSite } from '../site/publish-site.ts';

/** What the listener knows of a connection. */
export type ConnectionInfo = { readonly peerAddress: string; readonly isEncrypted: boolean };

export type AppEnv = { Bindings: ConnectionInfo };

/** One request, and the site as it was when the request came. */
export type Visit = {
  readonly site: PublishedSite;
  readonly caller: Caller;
  /** True where the visitor's own connection is encrypted, be it here or at a trusted proxy. */
  readonly isSecure: boolean;
  readonly header: Connection['header'];
};

/** Reads what every route needs to know of a request. */
export function readVisit(c: Context<AppEnv>, site: PublishedSite): Visit {
  const header = (name: string): string | undefined => c.req.header(name);
  const caller = findCaller({ peerAddress: c.env.peerAddress, header }, site.callerRules);
  const isSecure = c.env.isEncrypted || (caller.isProxied && readProxiedScheme(header) === 'https');
  return { site, caller, isSecure, header };
}

/** Whether the visit comes from a region that the operator does not serve. */
export function isRestricted({ site, caller, header }: Visit): boolean {
  return site.regions.isRestricted(caller, header);
}

function readProxiedScheme(header: Connection['header']): string | undefined {
  const scheme =
    header('x-forwarded-proto')?.split(',')[0] ?? /proto="?(\w+)/i.exec(header('forwarded') ?? '')?.[1];
  return scheme?.trim().toLowerCase();
}
