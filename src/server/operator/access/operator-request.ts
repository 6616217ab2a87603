import type { Context, MiddlewareHandler } from 'hono';
import { type Connection, findCaller, isSecure } from '../../caller/find-caller.ts';
import { nameCaller, nameRange } from '../../caller/parse-address.ts';
import { type AppEnv, readConnection } from '../../http/create-app.ts';
import { demandHttps } from '../../http/security-headers.ts';
import type { PublishedSite } from '../../site/publish-site.ts';

/** Who sent a request to the operator's listener, before anything is known about their rights. */
export type OperatorRequest = Connection & {
  /** True over TLS, here or at a trusted proxy. */
  readonly isSecure: boolean;
  /** Whose tries are counted: the caller's address, or a /64 of IPv6. */
  readonly caller: string;
  /** The address range in the audit log, such as `203.0.113.0/24`. */
  readonly prefix: string;
};

export type OperatorEnv = AppEnv & { Variables: { request: OperatorRequest } };
export type OperatorContext = Context<OperatorEnv>;

/** Finds out who sent each request, and tells browsers that came by https to stay with it. */
export function findOperatorRequest(
  site: () => Pick<PublishedSite, 'callerRules'>,
): MiddlewareHandler<OperatorEnv> {
  return async (c, next) => {
    const connection = readConnection(c);
    const caller = findCaller(connection, site().callerRules);
    const request: OperatorRequest = {
      ...connection,
      isSecure: isSecure(connection, caller),
      caller: nameCaller(caller.address),
      prefix: nameRange(caller.address),
    };
    c.set('request', request);
    await next();
    if (request.isSecure) demandHttps(c.res.headers);
  };
}

/** Where the browser that sent a request finds the operator's listener. */
export function findListenerOrigin(c: OperatorContext): string {
  return `${c.get('request').isSecure ? 'https' : 'http'}://${new URL(c.req.url).host}`;
}
