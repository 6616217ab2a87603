import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/**
 * Refuses a body with more bytes. Hono's own limit makes a `Request` of each call, whose memory is free only after the next full garbage
 * collection. For a body that says how large it is, this makes none.
 */
export function limitBody(maxBytes: number, refuse: () => never): MiddlewareHandler {
  const limitUnknown = bodyLimit({ maxSize: maxBytes, onError: refuse });
  return (c, next) => {
    const length = c.req.header('content-length');
    if (length === undefined || c.req.header('transfer-encoding') !== undefined) return limitUnknown(c, next);
    return Number(length) > maxBytes ? refuse() : next();
  };
}
