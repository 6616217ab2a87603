import { chown, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceFile } from './replace-file.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-owner-'));
});

afterEach(async () => {
  await rm(dir, { recursive: true });
});

test('what root writes into the data folder belongs to the folder’s owner', async () => {
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? 12_345 : (process.getuid?.() ?? 0);
  if (isRoot) await chown(dir, owner, owner);
  await replaceFile(join(dir, 'people.json'), Buffer.from('{}'));
  expect((await stat(join(dir, 'people.json'))).uid).toBe(owner);
});
