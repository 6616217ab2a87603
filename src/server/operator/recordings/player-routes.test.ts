import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTestConsole } from '../../testing/test-console.ts';
import { openTestDesk } from '../../testing/test-desk.ts';

const console = await createTestConsole();

test('the player runs its own script, and loads images of the site and nothing else', async () => {
  const answer = await console.ask('http://localhost:8081/player');
  expect(answer.status).toBe(200);
  expect(answer.headers['x-frame-options']).toBe('SAMEORIGIN');
  expect(answer.headers['x-dns-prefetch-control']).toBe('off');
  const [, script = ''] = /<script>(.*)<\/script>/s.exec(answer.text) ?? [];
  expect(script).toBe('play()');
  const hash = createHash('sha256').update(script).digest('base64');
  expect(answer.headers['content-security-policy']?.split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    'img-src http://localhost:8081/site/ data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ]);
});

test('the console may show the player in a frame', async () => {
  const answer = await console.ask('http://localhost:8081/');
  expect(answer.headers['content-security-policy']).toContain("frame-src 'self';");
});

test('an image of a recording that is not kept is the present one, and the answer says so', async () => {
  const [path = ''] = console.portal.site.images.answers.keys();
  const known = await console.ask(`http://localhost:8081${path}`);
  expect([known.status, known.headers['waypost-image']]).toEqual([200, undefined]);
  const older = path.replace(/(?:\.[\w-]{10})?(\.\w+)$/, '.0123456789$1');
  const answer = await console.ask(`http://localhost:8081${older}`);
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-cache']);
  expect(answer.headers['waypost-image']).toBe('present');
  expect(answer.text).toBe(known.text);
  expect((await console.ask('http://localhost:8081/site/../site.json')).status).toBe(404);
});

test('an image of a recording is that of its own version, if a version that is kept has it', async () => {
  const { desk, stores } = await openTestDesk();
  const { ask } = await createTestConsole({ desk });
  const then = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><title>then</title></svg>');
  await stores.files.putFiles(new Map([['images/logo.svg', then]]));
  const hash = createHash('sha256').update(then).digest('base64url').slice(0, 10);
  const answer = await ask(`http://localhost:8081/site/images/logo.${hash}.svg`);
  expect([answer.status, answer.text]).toEqual([200, String(then)]);
  expect([answer.headers['content-type'], answer.headers['waypost-image']]).toEqual([
    'image/svg+xml',
    undefined,
  ]);
  // Only as an image.
  expect((await ask(`http://localhost:8081/site/images/logo.${hash}.json`)).status).toBe(404);
});
