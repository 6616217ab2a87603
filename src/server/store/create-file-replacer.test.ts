import { execFile } from 'node:child_process';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createFileReplacer } from './create-file-replacer.ts';

test('while a write hangs, no other one begins', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-replacer-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, 'file');
  const replace = createFileReplacer(path);
  // Opening a pipe waits until somebody else opens it, too.
  await promisify(execFile)('mkfifo', [`${path}.tmp`]);
  const hanging = replace(Buffer.from('first')).catch(() => undefined);
  const refused = replace(Buffer.from('second')).catch((error: unknown) => error);
  const pipe = await open(`${path}.tmp`, 'r+');
  expect(await refused).toMatchObject({ code: 'deadline' });
  await hanging;
  await pipe.close();
  await rm(`${path}.tmp`, { force: true });
  await replace(Buffer.from('third'));
  expect(await readFile(path, 'utf8')).toBe('third');
});
