import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/**
 * Refuses a body with more bytes. Hono's own limit makes a whole `Request` of each call, of which some is left until the heap is swept: for
 * a body that says how large it is, that is not needed.
 */
export function limitBody(maxBytes: number, refuse: () => never): MiddlewareHandler {
  const limitUnknown = bodyLimit({ maxSize: maxBytes, onError: refuse });
  return (c, next) => {
    const length = c.req.header('content-length');
    if (length === undefined || c.req.header('transfer-encoding') !== undefined) return limitUnknown(c, next);
    return Number(length) > maxBytes ? refuse() : next();
  };
}
