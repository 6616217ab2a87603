import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSecret } from './load-secret.ts';
import { spawnFunction } from '../testing/spawn-function.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-secret-'));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

test('is made once, for the server alone to read, and kept', async () => {
  const dataDir = join(dir, 'new/data');
  const secret = await loadSecret(dataDir, undefined);
  expect(secret).toHaveLength(32);
  expect(await loadSecret(dataDir, '')).toEqual(secret);
  expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600);
  expect(await readdir(dataDir)).toEqual(['secret']);
});

test('is one for all replicas that start at the same time', async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => loadSecret(dir, undefined)));
  expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1);
});

test('may be given, long enough not to be guessed', async () => {
  const given = 'an operator’s own secret, kept in a vault';
  expect(Buffer.from(await loadSecret(dir, given)).toString()).toBe(given);
  await expect(loadSecret(dir, 'short')).rejects.toThrow(
    'WAYPOST_SECRET must have at least 32 characters, got 5',
  );
  expect(await readdir(dir)).toEqual([]);
});

test('that is not one of ours is not written over', async () => {
  await writeFile(join(dir, 'secret'), 'something else');
  await chmod(join(dir, 'secret'), 0o600);
  await expect(loadSecret(dir, undefined)).rejects.toThrow(
    'delete it, and a new one is made at the next start',
  );
  await rm(join(dir, 'secret'));
  await mkdir(join(dir, 'secret'));
  await expect(loadSecret(dir, undefined)).rejects.toThrow(
    `${dir}/secret is a folder where a file should be`,
  );
});

test('names the data folder that it cannot be kept in', async () => {
  await writeFile(join(dir, 'file'), '');
  const dataDir = join(dir, 'file/data');
  await expect(loadSecret(dataDir, undefined)).rejects.toThrow(
    `${dataDir}: the data folder must be one that the user who runs the server can write to (ENOTDIR)`,
  );
});

test('is whole or not there, whenever the server is killed', async () => {
  const child = await spawnFunction(new URL('../testing/make-secrets.ts', import.meta.url), 'makeSecrets', [
    dir,
  ]);
  // The child makes one secret after the other; it is killed in the middle of it.
  await once(child, 'message');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const folders = await readdir(dir);
  expect(folders.length).toBeGreaterThan(50);
  for (const folder of folders) expect(await loadSecret(join(dir, folder), undefined)).toHaveLength(32);
});
