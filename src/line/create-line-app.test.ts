import { describe, expect, it } from 'vitest';
import { createLineApp } from './create-line-app.ts';
import { createIdentity } from './speed-check.ts';

const MARKER = 'waypost-test';
const HOST = 'line1.localhost';

describe('a line host', () => {
  it('answers HEAD with the same head and no body', async () => {
    const { ask } = createApp();
    const answer = await ask('/speed.php', { method: 'HEAD' });
    expect([answer.headers.get('server'), await answer.text()]).toEqual([MARKER, '']);
  });

  it('carries the marker in another header where one is configured', async () => {
    const { headers } = await createApp('x-line').ask('/speed.php');
    expect([headers.get('x-line'), headers.get('access-control-expose-headers')]).toEqual([MARKER, 'X-Line']);
    expect(headers.has('server')).toBe(false);
  });

  it('shows the visitor which line was entered, and does not count that as a speed check', async () => {
    const { ask, counted } = createApp();
    const page = await ask('/', { host: `www20407.${HOST}:9900` });
    const text = await page.text();
    expect(text).toContain(`<h1>${HOST}</h1>`);
    expect(text).toContain('<html lang="zh-CN">');
    expect(page.headers.get('x-robots-tag')).toBe('noindex');
    expect(counted).toEqual([`${HOST} pages`]);
    await ask('/speed.php?x');
    expect(counted).toEqual([`${HOST} pages`, `${HOST} probes`]);
  });

  it('has nothing else to say', async () => {
    const { ask } = createApp();
    const missing = await ask('/elsewhere');
    const posted = await ask('/speed.php', { method: 'POST' });
    expect([missing.status, posted.status]).toEqual([404, 404]);
    expect(missing.headers.get('x-content-type-options')).toBe('nosniff');
    expect(missing.headers.get('server')).toBe(MARKER);
  });
});

function createApp(markerHeader?: string) {
  const counted: string[] = [];
  const app = createLineApp({
    identity: createIdentity(MARKER, markerHeader),
    findBehaviour: () => ({}),
    startCount: (hostname) => (what) => counted.push(`${hostname} ${what}`),
    findPortal: () => undefined,
    stayFiles: new Map(),
  });
  const ask = async (path: string, { method = 'GET', host = HOST } = {}) =>
    app.request(path, { method, headers: { host } });
  return { ask, counted };
}
