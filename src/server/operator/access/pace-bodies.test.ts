import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { HttpError } from '../../http/errors.ts';
import { paceBodies } from './pace-bodies.ts';

test('bodies are read at 10 MB a second, and one that would wait longer than 10 s is refused', async () => {
  const waits: number[] = [];
  const pace = paceBodies(refuse, { now: () => 0, wait: async (ms) => void waits.push(ms) });
  const app = new Hono();
  app.post('/', pace(5_000_000), (c) => c.text('read')).onError((_error, c) => c.text('refused', 503));
  const send = async (bytes: number) =>
    (await app.request('/', { method: 'POST', headers: { 'content-length': String(bytes) } })).status;

  for (let count = 0; count < 21; count += 1) expect(await send(5_000_000)).toBe(200);
  expect(waits.slice(0, 3)).toEqual([500, 1_000, 1_500]);
  expect(waits.at(-1)).toBe(10_000);
  expect(await send(100)).toBe(503);
});

function refuse(): never {
  throw new HttpError(503, { code: 'desk-busy', message: 'busy' });
}
