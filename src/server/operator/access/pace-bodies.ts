import { setTimeout } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';

/** Reading 1 MB of JSON holds the main thread for about 4 ms, so bodies take less than a twentieth of its time. */
const BYTES_PER_MS = 10_000;
const MAX_WAIT_MS = 10_000;

/**
 * Lets bodies be read at 10 MB a second in all, so that visitors do not wait for what an editor uploads. A body that would wait longer
 * than 10 s is refused. One that does not say its size counts as the largest.
 */
export function paceBodies(
  refuse: () => never,
  { now = () => performance.now(), wait = (ms: number) => setTimeout(ms) } = {},
): (maxBytes: number) => MiddlewareHandler {
  let freeAt = 0;
  return (maxBytes) => async (c, next) => {
    const at = now();
    const waitMs = Math.max(0, freeAt - at);
    if (waitMs > MAX_WAIT_MS) refuse();
    const bytes = Number(c.req.header('content-length') ?? maxBytes);
    freeAt = at + waitMs + Math.min(bytes, maxBytes) / BYTES_PER_MS;
    if (waitMs > 1) await wait(waitMs);
    await next();
  };
}
