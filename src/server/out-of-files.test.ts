import { once } from 'node:events';
import { expect, test } from 'vitest';
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
