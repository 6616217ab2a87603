import { pino } from 'pino';
import { expect, test } from 'vitest';
import { makeDataFolder } from '../testing/open-test-database.ts';
import { openLastGood } from './open-last-good.ts';

test('a portal of another brand on the same data folder ignores the copy, and says so', async () => {
  const dataDir = await makeDataFolder();
  const logged: string[] = [];
  const log = pino({}, { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) });
  const open = (brand: string) => openLastGood({ dataDir, database: { isShared: true, brand }, log });
  await open('one').keep('secret', Buffer.from('the secret of one'));
  expect((await open('one').read('secret'))?.toString()).toBe('the secret of one');
  expect(logged).toEqual([]);
  expect(await open('on').read('secret')).toBeUndefined();
  expect(logged).toEqual(['the last good copy in the data folder is of another brand: it is ignored']);
});
