import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transformWithOxc } from 'vite';
import { tenthOf } from '../../engine/testing/tenth-of.ts';

const KILLS = tenthOf(50);
const AT_ONCE = 5;
const BYTES = 1_000_000;
/** Longer than it takes to write them. */
const LATEST_KILL_MS = 20;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-replace-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test(`a writer that is killed, ${KILLS} times, leaves a whole file behind`, async () => {
  await compile('give-to-owner');
  const module = await compile('replace-file');
  for (let kill = 0; kill < KILLS; kill += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, index) => kill + index);
    const areWhole = await Promise.all(numbers.map((number) => killWriter(module, number)));
    expect(areWhole).toEqual(numbers.map(() => true));
  }
});

/** A plain module, so that each of the writers starts in no time. */
async function compile(name: string): Promise<string> {
  const path = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const { code } = await transformWithOxc(await readFile(path, 'utf8'), path);
  const module = join(dir, `${name}.mjs`);
  await writeFile(module, code.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.mjs"'));
  return module;
}

/** Whether the file is whole that a writer leaves behind when it is killed. */
async function killWriter(module: string, number: number): Promise<boolean> {
  const path = join(dir, `snapshot-${number}`);
  const script = `import { replaceFile } from ${JSON.stringify(module)};
    for (let round = 1; ; round += 1) {
      await replaceFile(${JSON.stringify(path)}, Buffer.alloc(${BYTES}, round % 256));
      if (round === 1) process.send('under way');
    }`;
  const writer = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(writer, 'exit');
  const first = await Promise.race([once(writer, 'message'), exited]);
  expect(first).toEqual(['under way', undefined]);
  // Each a little later into a write than the last.
  setTimeout(() => writer.kill('SIGKILL'), (number * LATEST_KILL_MS) / KILLS);
  await exited;
  const bytes = await readFile(path);
  return bytes.equals(Buffer.alloc(BYTES, bytes[0]));
}
