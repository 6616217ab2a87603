import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { RunningServer } from '../server/main.ts';
import { DEMO_SITE } from '../server/testing/site-files.ts';
import { startTestServer } from '../server/testing/start-test-server.ts';
import { PATIENCE } from '../server/testing/patience.ts';
import { readAudit } from '../server/testing/read-audit.ts';
import type { Command } from './command.ts';
import { exportVersion } from './export.ts';
import { rollback } from './rollback.ts';
import { versions } from './versions.ts';

// In a container, the user may have no name.
vi.mock('node:os', { spy: true });

let dir: string;
let dataDir: string;
let siteFile: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-versions-'));
  // `afterEach` would come before the portals are closed, and they may still write.
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  dataDir = join(dir, 'data');
  siteFile = join(dir, 'site/site.json');
  await cp(DEMO_SITE, join(dir, 'site'), { recursive: true, filter: (path) => !path.endsWith('/art') });
});

async function start(options: { readonly isEditing?: boolean } = {}): Promise<RunningServer> {
  const server = await startTestServer({
    siteDir: join(dir, 'site'),
    dataDir,
    isEditing: true,
    ...options,
  });
  onTestFinished(() => server.close());
  return server;
}

/** Runs a command, and returns what it prints. */
async function run(command: Command, ...args: string[]): Promise<string> {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    expect(await command.run([...args, '--data', dataDir])).toBe(0);
    return print.mock.calls.map(([line]) => String(line)).join('\n');
  } finally {
    print.mockRestore();
  }
}

async function makeTwoVersions(): Promise<RunningServer> {
  const server = await start();
  const site = await readFile(siteFile, 'utf8');
  await writeFile(siteFile, site.replace('"#e0b34c"', '"#5ec28f"'));
  await vi.waitFor(async () => expect(await run(versions)).toMatch(/^\* +2 /));
  // It is kept first, and served a moment later.
  await vi.waitFor(async () => expect(await readMetric(server)).toBe('2'));
  return server;
}

const readMetric = async ({ opsUrl }: RunningServer) =>
  /^waypost_site_version (\d+)$/m.exec(await (await fetch(`${opsUrl}/metrics`)).text())?.[1];

test('versions are listed, and compared', async () => {
  await makeTwoVersions();
  expect(await run(versions)).toMatch(
    /^\* {5}2 {2}\d{4}-\d\d-\d\d \d\d:\d\d UTC {2}the site folder\n {6}1 {2}.* UTC {2}the first start$/,
  );
  expect(await run(versions, '1', '2')).toBe('theme.accent: "#e0b34c" → "#5ec28f"');
  expect(await run(versions, '2', '2')).toBe('nothing differs');
});

test('a running portal serves a version that is brought back, and says who did it and why', async () => {
  const server = await makeTwoVersions();
  expect(await run(rollback, '1', '--why', 'gold')).toBe('version 1 is live again, as version 3');
  await vi.waitFor(async () => expect(await readMetric(server)).toBe('3'), PATIENCE);
  expect((await run(versions)).split('\n')[0]).toMatch(/^\* {5}3 {2}.*, brought back: gold$/);
  await expect(run(rollback, '9')).rejects.toMatchObject({
    code: 'unknown-version',
    message: 'There is no version 9.',
  });
  await expect(run(rollback, '1')).rejects.toMatchObject({ code: 'nothing-changed' });
  const entry = { by: 'command line', action: 'rolled-back', to: 'version 1' };
  expect(await readAudit(dataDir)).toMatchObject([entry]);
});

test('without a portal a version is brought back, too, and served at the next start', async () => {
  const first = await makeTwoVersions();
  await first.close();
  vi.mocked(userInfo).mockImplementationOnce(() => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  });
  expect(await run(rollback, '1')).toBe('version 1 is live again, as version 3');
  await expect(run(rollback, '1')).rejects.toMatchObject({ code: 'nothing-changed' });
  expect(await readMetric(await start())).toBe('3');
  expect(await run(versions, '1', '3')).toBe('nothing differs');
});

test('what is live is written as a folder, which is what it came from', async () => {
  await makeTwoVersions();
  const out = join(dir, 'out');
  expect(await run(exportVersion, out)).toBe(`version 2 is written to ${out}`);
  expect((await readdir(out, { recursive: true })).toSorted()).toEqual(
    (await readdir(join(dir, 'site'), { recursive: true })).toSorted(),
  );
  expect(await readFile(join(out, 'site.json'), 'utf8')).toBe(await readFile(siteFile, 'utf8'));
  await expect(run(exportVersion, out)).rejects.toMatchObject({ code: 'folder-in-use' });
  await run(exportVersion, join(dir, 'first'), '--version', '1');
  expect(await readFile(join(dir, 'first/site.json'), 'utf8')).toContain('#e0b34c');
});

test('a data folder without versions is refused by name', async () => {
  await expect(run(versions)).rejects.toMatchObject({ code: 'no-versions' });
});

test('two portals cannot share a data folder', async () => {
  const first = await start();
  await expect(start()).rejects.toMatchObject({ code: 'data-in-use' });
  await expect(start({ isEditing: false })).rejects.toMatchObject({ code: 'data-in-use' });
  await first.close();
  await start();
});
