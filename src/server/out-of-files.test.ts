import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { connectRaw } from './testing/raw-client.ts';
import { spawnFunction } from './testing/spawn-function.ts';

test('a portal without a free file descriptor cannot ask its lines and channels, and goes on', async () => {
  const child = await spawnFunction(
    new URL('testing/ask-without-files.ts', import.meta.url),
    'askWithoutFiles',
    [],
  );
  const ended = once(child, 'exit');
  const told = new Promise((resolve) => child.once('message', resolve));
  expect(await ended).toEqual([0, null]);
  expect(await told).toEqual({
    line: { kind: 'unreachable', code: 'EMFILE' },
    webhook: 'MessageError: hook.localhost:9: EMFILE',
    mail: 'MessageError: mail.localhost: ESOCKET',
  });
});

test('a server that may have 128 files answers, although strangers hold more connections open', async () => {
  const module = new URL('testing/serve-with-few-files.ts', import.meta.url);
  const child = await spawnFunction(module, 'serveWithFewFiles', []);
  onTestFinished(() => void child.kill());
  const [url] = (await once(child, 'message')) as [string];
  const strangers = Array.from({ length: 150 }, () => connectRaw(url).socket);
  onTestFinished(() => strangers.forEach((socket) => socket.destroy()));
  await Promise.all(strangers.map((socket) => once(socket, 'connect')));
  expect(await (await fetch(url)).text()).toBe('ok');
});
