import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { writeCodedFault } from '../../contract/faults/describe-site-fault.ts';
import { renderFakePage } from '../testing/fake-web-build.ts';
import { DEMO_SITE } from '../testing/site-files.ts';
import { type SiteKeeper, keepSite } from './keep-site.ts';
import { createFolderSource, loadSite } from './load-site.ts';
import { fingerprintFolder } from './read-site-folder.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-folder-'));
  await cp(DEMO_SITE, join(dir, 'site'), { recursive: true });
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const makePipe = (path: string) => promisify(execFile)('mkfifo', [path]);

async function makeSocket(path: string): Promise<void> {
  const server = createServer().listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
}

async function makeHugeFile(path: string): Promise<void> {
  await writeFile(path, '');
  await truncate(path, 20_000_001);
}

async function makeManyFiles(path: string): Promise<void> {
  const elsewhere = join(dir, 'elsewhere');
  await mkdir(elsewhere);
  await Promise.all(Array.from({ length: 2_001 }, (_, file) => writeFile(join(elsewhere, `${file}`), '')));
  await symlink(elsewhere, path);
}

describe('is refused by name, and not waited for:', () => {
  const NAME = 'images/odd';
  test.each<[string, (path: string) => Promise<unknown>, string]>([
    ['a named pipe', makePipe, `${NAME}: it must be a plain file, and is a named pipe`],
    ['a socket', makeSocket, `${NAME}: it must be a plain file, and is a socket`],
    [
      'a link to a device',
      (path) => symlink('/dev/zero', path),
      `${NAME}: it must be a plain file, and is a device`,
    ],
    [
      'a link to itself',
      (path) => symlink('odd', path),
      `${NAME}: it is a link that leads to itself: remove it`,
    ],
    [
      'a link to a folder that it is in',
      (path) => symlink('..', path),
      `${NAME}: it leads back to a folder that it is in: remove the link`,
    ],
    ['a huge file', makeHugeFile, `${NAME}: it may have at most 20,000,000 bytes, and has 20,000,001`],
    ['a link to a folder of many files', makeManyFiles, 'site: it may hold at most 2000 files: '],
  ])('%s', async (_kind, make, message) => {
    await make(join(dir, 'site', NAME));
    await expect(loadSite(join(dir, 'site'))).rejects.toThrow(message);
    expect(await fingerprintFolder(join(dir, 'site'))).toBe(await fingerprintFolder(join(dir, 'site')));
  });

  test('a named pipe in the place of an mmdb file', async () => {
    const config = JSON.parse(await readFile(join(dir, 'site/site.json'), 'utf8'));
    await writeFile(join(dir, 'site/site.json'), JSON.stringify({ ...config, network: { mmdb: '../pipe' } }));
    await makePipe(join(dir, 'pipe'));
    await expect(loadSite(join(dir, 'site'))).rejects.toThrow(
      'site.json: network.mmdb must be the path of an mmdb file, got "../pipe": it must be a plain file, and is a named pipe',
    );
  });
});

test('a named pipe that appears is told of, what was good is served, and the next good change is seen', async () => {
  const logged: string[] = [];
  const keeper = await keepSite({
    source: createFolderSource(join(dir, 'site')),
    log: pino({}, { write: (line) => logged.push(line) }),
    renderPage: renderFakePage,
    buildFallbackAddresses: () => [],
    onPublish: () => undefined,
    onRefuse: () => undefined,
    onLookupFault: () => undefined,
    now: Date.now,
  });
  await makePipe(join(dir, 'site/images/odd'));
  await checkTwice(keeper);
  expect(keeper.current().version).toBe(1);
  const faults = keeper.record().refusal?.faults.map((fault) => writeCodedFault(fault, 'en'));
  expect(faults).toEqual(['images/odd: it must be a plain file, and is a named pipe [unusable-file]']);
  expect(logged.at(-1)).toContain('site change refused');
  await rm(join(dir, 'site/images/odd'));
  await checkTwice(keeper);
  expect(keeper.current().version).toBe(2);
  // Not with every check, of which there are several a second.
  await rm(join(dir, 'site'), { recursive: true });
  await checkTwice(keeper);
  await checkTwice(keeper);
  expect(logged.filter((line) => line.includes('the site folder cannot be watched'))).toHaveLength(1);
});

async function checkTwice(keeper: SiteKeeper): Promise<void> {
  await keeper.checkFolder();
  await keeper.checkFolder();
}
