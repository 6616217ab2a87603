import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The machine may be busy, and the first start builds. */
const PATIENCE_MS = 300_000;

// npm passes on the first, and dies of the second without a word.
test.each(['SIGTERM', 'SIGKILL'] as const)(
  'the demo ends with npm, and leaves its ports, when npm gets %s',
  { timeout: PATIENCE_MS },
  async (signal) => {
    const npm = await startDemo();
    const url = await readUrl(npm);
    expect((await fetch(url)).status).toBe(200);
    npm.kill(signal);
    await vi.waitFor(() => expect(fetch(url)).rejects.toThrow('fetch failed'), { timeout: 60_000 });
  },
);

async function startDemo(): Promise<ChildProcess> {
  const data = await mkdtemp(join(tmpdir(), 'waypost-start-'));
  const args = ['start', '--', '--port', '0', '--ops-port', '0', '--data', data];
  const npm = spawn('npm', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  onTestFinished(async () => {
    killGroup(npm);
    await rm(data, { recursive: true, force: true });
  });
  return npm;
}

async function readUrl({ stdout }: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of stdout ?? []) {
    output += String(chunk);
    if (output.includes('Ctrl-C')) break;
  }
  return /Landing page +(\S+)/.exec(output)?.[1] ?? '';
}

/** If the test fails, the demo is not left to the next one. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}
