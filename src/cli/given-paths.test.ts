import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DEMO_SITE } from '../server/testing/site-files.ts';
import { explainDenied } from './given-paths.ts';
import { UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';

/** A folder with the file "file" and the empty folder "folder". Arguments that start with "@" are paths in it. */
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-paths-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'file'), 'mine');
  await mkdir(join(dir, 'folder'));
});

/** Runs a command line that must be refused, and returns the error. The paths in its message are those that were given. */
async function refuse(line: string): Promise<{ readonly error: unknown; readonly message: string }> {
  const [name = '', ...args] = line.split(' ');
  const command = await COMMANDS[name]?.load();
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const given = args.map((arg) => (arg === "''" ? '' : arg.replace(/^@/, `${dir}/`)));
    const status = await command?.run(given);
    throw new Error(`"${line}" ended with status ${status}`);
  } catch (error) {
    return { error, message: (error as Error).message.replaceAll(`${dir}/`, '@') };
  } finally {
    print.mockRestore();
  }
}

const WITH_DATA = [
  'versions',
  'rollback 1',
  'export @new',
  'backup @new.tgz',
  'restore @file',
  'operator list',
  'operator add li --role owner',
  `notify --test x --site ${DEMO_SITE}`,
  'notify --test x --edit',
  'demo',
];

describe.each(WITH_DATA)('waypost %s', (line) => {
  test.each([
    ['@file', '--data must be a folder, got "@file": this is a file'],
    ['@file/data', '--data must be a folder, got "@file/data": a part of it is a file'],
    ["''", '--data must be a folder, got "": write its path'],
  ])('refuses --data %s', async (path, message) => {
    expect(await refuse(`${line} --data ${path}`)).toEqual({ error: expect.any(UsageError), message });
    expect((await readdir(dir)).toSorted()).toEqual(['file', 'folder']);
  });
});

/** Without `build`, which wants the built pages first, and `serve`, which ends its process: the package is tested with both. */
const WITH_SITE = ['probe', 'notify --test x', 'demo'];

describe.each(WITH_SITE)('waypost %s', (line) => {
  test.each([
    ['@file', '@file: this is a file, but the site is a folder: write the path of the folder that'],
    ['@file/site', '@file/site: the site folder does not exist: correct the path, or make one with'],
    ['@none', '@none: the site folder does not exist: correct the path, or make one with "waypost init"'],
    ["''", 'the path of the site folder is empty: write one, such as ./site'],
  ])('refuses --site %s', async (path, start) => {
    const { message } = await refuse(`${line} --site ${path}`);
    expect(message.slice(0, start.length)).toBe(start);
  });
});

test.each([
  ['init @file', 'DIR must be a folder, got "@file": this is a file'],
  ['init @file/site', 'DIR must be a folder, got "@file/site": a part of it is a file'],
  ["export ''", 'give the name of one new folder, such as ./site'],
  [`build --site ${DEMO_SITE} --out @file`, '--out must be a folder, got "@file": this is a file'],
  [
    `build --site ${DEMO_SITE} --out @file/a`,
    '--out must be a folder, got "@file/a": a part of it is a file',
  ],
  [`build --site ${DEMO_SITE} --out ''`, '--out is needed: the folder to write to'],
  [
    'backup @none/a.tgz --data @folder',
    'FILE must be in a folder that is there, got "@none/a.tgz": make the folder "@none" first, or write another path',
  ],
  [
    'backup @file/a.tgz --data @folder',
    'FILE must be in a folder that is there, got "@file/a.tgz": make the folder "@file" first, or write another path',
  ],
  [
    'backup @folder --data @folder',
    'FILE must be a file, got "@folder": this is a folder, so add the name of a file in it',
  ],
  ["backup '' --data @folder", 'give the name of one file, such as waypost-backup.tar.gz'],
  ['restore @none --data @new', 'FILE must be a file, got "@none": there is no such file'],
  ['restore @file/a --data @new', 'FILE must be a file, got "@file/a": there is no such file'],
  ['restore @folder --data @new', 'FILE must be a file, got "@folder": this is a folder'],
  ["restore '' --data @new", 'give the name of one backup, such as waypost-backup.tar.gz'],
  [
    'line --marker a --port 0 --cert @folder --key @file',
    '--cert must be a file, got "@folder": this is a folder',
  ],
  [`probe --site ${DEMO_SITE} --ca @folder`, '--ca must be a file, got "@folder": this is a folder'],
])('waypost %s is refused', async (line, message) => {
  expect(await refuse(line)).toEqual({ error: expect.any(UsageError), message });
  expect((await readdir(dir)).toSorted()).toEqual(['file', 'folder']);
});

test('says which path this user may not use, and leaves other errors alone', () => {
  const fail = (code: string) => Object.assign(new Error(`${code}: …`), { code, path: '/srv/data' });
  expect(['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].map((code) => explainDenied(fail(code))?.message)).toEqual([
    ...Array.from({ length: 3 }, () => expect.stringMatching(/^this user may not use \/srv\/data: correct /)),
    undefined,
  ]);
});
