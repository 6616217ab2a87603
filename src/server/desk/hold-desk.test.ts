import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { spawnFunction } from '../testing/spawn-function.ts';
import { requestRollback } from './requests.ts';
import { askHolder, holdDesk } from './hold-desk.ts';

async function makeDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-hold-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
const answer = async (text: string) => `heard ${text}`;

test('a second holder is refused until the first lets go', async () => {
  const dir = await makeDir();
  const first = await holdDesk(dir, answer);
  await expect(holdDesk(dir, answer)).rejects.toMatchObject({ code: 'data-in-use' });
  await first.release();
  const second = await holdDesk(dir, answer);
  await second.release();
});

test('others can ask the holder, and find out that there is none', async () => {
  const dir = await makeDir();
  expect(await askHolder(dir, 'hello')).toBeUndefined();
  const { release } = await holdDesk(dir, answer);
  expect(await askHolder(dir, 'hello')).toBe('heard hello');
  expect(await askHolder(dir, 'x'.repeat(20_000)).catch(() => '')).toBe('');
  await release();
  expect(await askHolder(dir, 'hello')).toBeUndefined();
});

test('a command is told that the portal went away without an answer', async () => {
  const dir = await makeDir();
  const { release } = await holdDesk(dir, async () => '');
  expect(await requestRollback(dir, { number: 1, by: 'mei', why: '' })).toMatchObject({
    message: expect.stringContaining('went away without an answer') as string,
  });
  await release();
});

test('a holder that was killed locks nobody out, and of many that come after it one gets in', async () => {
  const dir = await makeDir();
  const child = await spawnFunction(new URL('../testing/hold-for-ever.ts', import.meta.url), 'holdForEver', [
    dir,
  ]);
  await once(child, 'message');
  await expect(holdDesk(dir, answer)).rejects.toMatchObject({ code: 'data-in-use' });
  child.kill('SIGKILL');
  await once(child, 'exit');
  const tries = await Promise.allSettled(Array.from({ length: 5 }, () => holdDesk(dir, answer)));
  const held = tries.filter((outcome) => outcome.status === 'fulfilled');
  expect(held).toHaveLength(1);
  expect(await askHolder(dir, 'hello')).toBe('heard hello');
  await held[0]?.value.release();
});

test('a path that no system takes for a socket is refused by name', async () => {
  const dir = join(await makeDir(), 'x'.repeat(120));
  await expect(holdDesk(dir, answer)).rejects.toThrow('The path of the data folder is too long');
});
