import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { spawnFunction } from '../../testing/spawn-function.ts';
import { lockDataFolder } from './lock-data-folder.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'waypost-lock-')), 'data');
  onTestFinished(() => rm(join(dataDir, '..'), { recursive: true, force: true }));
});

test('a second portal is refused with a sentence until the first lets go', async () => {
  const first = await lockDataFolder(dataDir);
  await expect(lockDataFolder(dataDir)).rejects.toMatchObject({
    code: 'data-in-use',
    message: `another portal uses ${dataDir}: stop it, or give this one a data folder of its own`,
  });
  first.release();
  (await lockDataFolder(dataDir)).release();
});

test('a portal that was killed locks nobody out', async () => {
  const child = await spawnFunction(
    new URL('../../testing/hold-for-ever.ts', import.meta.url),
    'holdForEver',
    [dataDir],
  );
  await once(child, 'message');
  await expect(lockDataFolder(dataDir)).rejects.toMatchObject({ code: 'data-in-use' });
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  (await lockDataFolder(dataDir)).release();
});

test.each([
  [0x69_69, 'NFS'],
  [0xff_53_4d_42, 'CIFS'],
  [0x00_c3_64_00, 'Ceph'],
])('a folder on a file system of a network (%i) is refused by name', async (type, name) => {
  await expect(lockDataFolder(dataDir, async () => type)).rejects.toMatchObject({
    code: 'data-folder',
    message: expect.stringContaining(`${dataDir} is on a file system of a network (${name})`),
  });
});
