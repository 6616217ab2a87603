import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openDeskStores } from '../server/desk/open-desk-stores.ts';
import { openDatabase } from '../server/store/open-database.ts';
import { createSiteFiles } from '../server/testing/site-files.ts';
import { notify } from './notify.ts';

let dir: string;
let receiver: Server;
/** The paths that were posted to. */
let posted: string[] = [];
let isAnswering = true;

/** The site folder has the channel `folder`, and the version that is live has the channel `live`. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-notify-'));
  receiver = createServer((request, response) => {
    posted.push(request.url ?? '');
    if (isAnswering) response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const createFiles = (name: string) =>
    createSiteFiles((config) => {
      const channel = { name, kind: 'webhook', url: `http://127.0.0.1:${port}/${name}` };
      config['alerts'] = { channels: [channel], rules: [] };
    });
  for (const [path, bytes] of await createFiles('folder')) {
    const file = join(dir, 'site', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
  const database = await openDatabase({ dataDir: join(dir, 'data'), log: pino({ level: 'silent' }) });
  const { versions, files: store } = openDeskStores({ database, siteDir: '', now: () => 0 });
  const files = await store.putFiles(await createFiles('live'));
  await versions.commit({ after: 0, at: 0, by: '', from: 'console', why: '', files });
  await database.close();
  vi.stubEnv('WAYPOST_PRIVATE_ALERTS', 'on');
});
afterEach(() => {
  posted = [];
  isAnswering = true;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  receiver.close();
  receiver.closeAllConnections();
  await rm(dir, { recursive: true, force: true });
});

async function sendTest(channel: string, ...more: string[]): Promise<void> {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const places = ['--site', join(dir, 'site'), '--data', join(dir, 'data')];
  try {
    expect(await notify.run(['--test', channel, ...places, ...more])).toBe(0);
  } finally {
    print.mockRestore();
  }
}

test('without editing, a channel of the site folder is tested, also if there are versions of an earlier time', async () => {
  await sendTest('folder');
  expect(posted).toEqual(['/folder']);
  await expect(sendTest('live')).rejects.toThrow(
    'site.json has no channel "live"; it has: folder (if the portal runs with editing on, add --edit)',
  );
});

test('with editing on, a channel of the version that is live is tested', async () => {
  await sendTest('live', '--edit');
  expect(posted).toEqual(['/live']);
  await expect(sendTest('folder', '--edit')).rejects.toThrow(
    'version 1, which is live, has no channel "folder"; it has: live',
  );
});

test('a channel that takes no notice is given up after 15 seconds, like at the console', async () => {
  isAnswering = false;
  const wait = setTimeout;
  const shortened = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((job, ms, ...args) => wait(job, ms === 15_000 ? 0 : ms, ...args));
  onTestFinished(() => shortened.mockRestore());
  await expect(sendTest('folder')).rejects.toThrow('did not take the test: no answer within 15 s');
});
