import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { spawnFunction } from '../testing/spawn-function.ts';

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

async function start(limitMs: number): Promise<ChildProcess> {
  const module = new URL('../testing/run-watchdog.ts', import.meta.url);
  child = await spawnFunction(module, 'runWatchdog', [limitMs], { stderr: 'pipe' });
  await once(child, 'message');
  return child;
}

test('a process whose main thread is stuck ends by itself, and says why', async () => {
  const stuck = await start(400);
  const said = collect(stuck.stderr);
  stuck.send('block');
  expect(await once(stuck, 'close')).toEqual([null, 'SIGKILL']);
  expect(said.join('')).toContain(
    'waypost: the main thread was busy for over 0.4 s, so the process is ended',
  );
});

test('a process that stood still as a whole goes on, and may end when it likes', async () => {
  const stopped = await start(3_000);
  stopped.send('stop');
  await once(stopped, 'message');
  // Longer than the main thread may be busy.
  await wait(3_500);
  const exited = once(stopped, 'exit');
  stopped.kill('SIGCONT');
  expect(await exited).toEqual([0, null]);
});

function collect(stream: Readable | null): readonly string[] {
  const chunks: string[] = [];
  stream?.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  return chunks;
}
