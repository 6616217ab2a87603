import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useRedis } from '../testing/use-redis.ts';
import { agreeOnName } from './agree-on-name.ts';

const { redis } = useRedis();

test('a replica keeps the name, and takes no other one while it cannot read it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-name-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, 'desk/name');
  expect(await agreeOnName(redis, { brand: 'Lumo', path })).toBe('Lumo');
  expect(await agreeOnName(redis, { brand: 'Vega', path })).toBe('Lumo');
  await rm(path);
  // A link to itself can be replaced, and not read, not even by root.
  await symlink('name', path);
  await expect(agreeOnName(redis, { brand: 'Vega', path })).rejects.toThrow('ELOOP');
});
