import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from './support/webkit-test.ts';

/** What a worker of the tests does, in a process that can be killed. */
const WORKER = `
  import { runnerImport } from 'vite';
  const load = async (name) => (await runnerImport('./e2e/webkit/support/' + name + '.ts')).module;
  const { startDriver } = await load('start-driver');
  const { openSession } = await load('open-session');
  const { url } = await startDriver();
  await openSession(url, { javaScriptEnabled: true, userAgent: undefined, ignoreHTTPSErrors: false });
  console.log('ready');`;

test('a driver, its browser and their screen end with a worker that is killed', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-killed-'));
  const worker = spawn('node', ['--input-type=module', '--eval', WORKER], {
    env: { ...process.env, TMPDIR: dir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(worker.stdout, 'data');
  expect(await listPrograms(dir)).toEqual(
    expect.arrayContaining([
      'MiniBrowser',
      'WebKitNetworkProcess',
      'WebKitWebDriver',
      'WebKitWebProcess',
      'Xvfb',
    ]),
  );
  worker.kill('SIGKILL');
  await expect.poll(() => listPrograms(dir)).toEqual([]);
  await rm(dir, { recursive: true, force: true });
});

/** The programs that have this folder in their environment. */
async function listPrograms(dir: string): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const programs = await Promise.all(
    ids.map(async (id) => {
      try {
        const environment = await readFile(`/proc/${id}/environ`, 'utf8');
        const [command = ''] = (await readFile(`/proc/${id}/cmdline`, 'utf8')).split('\0');
        return environment.includes(dir) ? [basename(command)] : [];
      } catch {
        return []; // It ended meanwhile, or it is somebody else's.
      }
    }),
  );
  return programs.flat();
}
