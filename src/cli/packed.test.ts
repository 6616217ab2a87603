import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawFreePorts } from '../line/find-free-ports.ts';
import { waitUntilListening } from '../../e2e/support/wait-until-listening.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MARKER = 'packed-line';

type Outcome = { readonly status: number; readonly stdout: string; readonly stderr: string };

/** What a stranger does: packs it, installs it in an empty folder, and runs the commands there. */
describe('the package', { timeout: 300_000 }, () => {
  const children: ChildProcess[] = [];
  let dir: string;
  let files: readonly string[];
  let packing: { readonly stdout: string; readonly stderr: string };
  let linePort: number;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'waypost-packed-'));
    packing = await run('npm', ['pack', '--pack-destination', dir], { cwd: ROOT });
    const tarball = (await readdir(dir)).find((name) => name.endsWith('.tgz')) ?? '';
    files = (await run('tar', ['-tzf', join(dir, tarball)])).stdout.split('\n').filter(Boolean);
    await writeFile(join(dir, 'package.json'), '{ "private": true }');
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`], {
      cwd: dir,
    });
    [linePort = 0] = await drawFreePorts(1);
  }, 300_000);

  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await rm(dir, { recursive: true, force: true });
  });

  test('is packed without a second install of what npm has installed', () => {
    expect(`${packing.stdout}${packing.stderr}`).not.toContain('Installing packages');
  });

  test('holds the built server, pages, commands, the demo brand and the documents, and nothing else', () => {
    const kinds =
      /^package\/(?:dist\/.+\.(?:js|css|json)(?:\.(?:br|gz))?|(?:site|docs|deploy)\/.+|package\.json|[A-Z]+\.md|LICENSE)$/;
    expect(files.filter((file) => !kinds.test(file))).toEqual([]);
    expect(files.filter((file) => /\.(?:test|d)\.|\/(?:testing|art)\//.test(file))).toEqual([]);
    for (const file of ['dist/cli/main.js', 'dist/web/client/.vite/manifest.json', 'site/site.schema.json']) {
      expect(files).toContain(`package/${file}`);
    }
  });

  test('holds a compressed copy of every file that a portal serves, so that no start has to make one', () => {
    const served = files.filter((file) =>
      /^package\/dist\/web\/(?:client|console)\/[^.].*\.(?:js|css)$/.test(file),
    );
    const copies = served.flatMap((file) => [`${file}.br`, `${file}.gz`]);
    expect(served).toContain('package/dist/web/client/offline.js');
    expect(copies.filter((copy) => !files.includes(copy))).toEqual([]);
  });

  test('every link between its documents leads to something that it holds', async () => {
    const root = join(dir, 'node_modules/waypost');
    const documents = files
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.replace('package/', ''));
    const links = await Promise.all(
      documents.map(async (name) => findRelativeLinks(name, await readFile(join(root, name), 'utf8'))),
    );
    expect(links.flat().length).toBeGreaterThan(20);
    const broken = await Promise.all(
      links.flat().map(async (link) => ((await leadsSomewhere(root, link)) ? [] : [link])),
    );
    expect(broken.flat()).toEqual([]);
  });

  test('says which version it is', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const { stdout } = await run('npx', ['waypost', '--version'], { cwd: dir, env });
    expect(stdout).toBe(`${version}\n`);
  });

  test('init writes a site folder once', async () => {
    expect(await waypost('init', 'mine')).toMatchObject({ status: 0 });
    expect(await waypost('init', 'mine')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'waypost init: mine is not an empty folder: give the name of a new one [folder-in-use]\n',
    });
  });

  test.each<[args: readonly string[], status: number, message: string]>([
    [['srve'], 2, 'waypost: "srve" is not a command [usage]'],
    [
      ['init', ''],
      2,
      'waypost init: give the name of one new folder, such as ./my-site (see waypost init --help) [usage]',
    ],
    [
      ['serve', '--port', 'http'],
      2,
      'waypost serve: --port must be a port from 0 to 65535, got "http" (see waypost serve --help) [usage]',
    ],
    [
      ['serve', '--site', 'none'],
      1,
      'waypost serve: none: the site folder does not exist: correct the path, or make one with "waypost init" [missing-folder]',
    ],
    [
      ['check', '--site', 'mine/site.json'],
      1,
      'mine/site.json: this is a file, but the site is a folder: write the path of the folder that site.json is in [missing-folder]',
    ],
    [
      ['serve', '--edit', '--site', 'mine', '--data', 'mine/site.json'],
      2,
      '--data must be a folder, got "mine/site.json": this is a file (see waypost serve --help) [usage]',
    ],
    [
      ['build', '--out', 'export', '--site', ''],
      1,
      'waypost build: the path of the site folder is empty: write one, such as ./site [missing-folder]',
    ],
    [
      ['build', '--site', 'mine', '--out', 'mine/site.json'],
      2,
      '--out must be a folder, got "mine/site.json": this is a file (see waypost build --help) [usage]',
    ],
    [
      ['backup', 'none/a.tgz', '--data', 'mine'],
      2,
      'FILE must be in a folder that is there, got "none/a.tgz": make the folder "none" first, or write another path',
    ],
    [
      ['check', '--ca', 'none', '--lines', '--site', 'mine'],
      2,
      '--ca must be a file, got "none": there is no such file (see waypost check --help) [usage]',
    ],
    [
      ['versions', '--data', 'mine/site.json'],
      2,
      '--data must be a folder, got "mine/site.json": this is a file (see waypost versions --help) [usage]',
    ],
  ])('%o ends with a code', async (args, status, message) => {
    const ended = await waypost(...args);
    // `check` prints what it finds as its result.
    expect([ended.status, `${ended.stdout}${ended.stderr}`.split('\n')]).toEqual([
      status,
      expect.arrayContaining([expect.stringContaining(message)]),
    ]);
  });

  test('line answers, check finds it in order, probe measures it', async () => {
    await nameLine();
    await start(linePort, 'line', '--marker', MARKER, '--port', String(linePort));
    const checked = await waypost('check', '--site', 'mine', '--lines');
    expect(checked.status).toBe(0);
    expect(checked.stdout).toContain('5 of 5 lines are in order');
    expect(checked.stderr).toMatch(/^! still the demo brand's: brand\.mainBrowser, /);
    const probed = await waypost('probe', '--site', 'mine', '--runs', '1');
    expect(probed).toMatchObject({ status: 0, stderr: '' });
  });

  test('serve serves the page of the own brand', async () => {
    const [port = 0] = await drawFreePorts(1);
    await start(
      port,
      'serve',
      '--site',
      'mine',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--ops-port',
      '0',
      '--preview-port',
      '0',
      '--edit',
    );
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Packed Brand')]);
  });

  test('versions lists what serve has kept, rollback changes nothing that is live, and export writes it', async () => {
    expect(await waypost('versions')).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^\* {5}1 {2}.* UTC {2}the first start\n$/),
      stderr: '',
    });
    expect(await waypost('rollback', '1')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'waypost rollback: version 1 has the same files as the live version [nothing-changed]\n',
    });
    expect(await waypost('export', 'kept')).toMatchObject({ status: 0, stderr: '' });
    expect(await readFile(join(dir, 'kept/site.json'), 'utf8')).toContain('Packed Brand');
  });

  test('demo takes free ports in place of those that other programs use', async () => {
    const taken = await Promise.all([8080, 8081, 8082, 8083, 9900, 5569, 6899, 7730, 8866].map(occupy));
    const child = spawn(join(dir, 'node_modules/.bin/waypost'), ['demo'], { cwd: dir, env });
    children.push(child);
    const output = await readUntil(child, 'and replaced');
    expect(output).toContain('replaced: 8080, 8081, 8082, 8083, 9900, 5569, 6899, 7730, 8866');
    const [, portal = ''] = /Landing page +(\S+)/.exec(output) ?? [];
    const [, linePort = ''] = /Line hosts +http:\/\/line1\.localhost:(\d+)/.exec(output) ?? [];
    expect((await fetch(portal)).status).toBe(200);
    expect(await (await fetch(new URL('json/urls/localhost.json', portal))).text()).toContain(
      `http://line1.localhost:${linePort}`,
    );
    const line = `http://127.0.0.1:${linePort}/speed.php`;
    const { stdout } = await run('curl', ['-sS', '-i', '-H', 'Host: line1.localhost', line]);
    expect(stdout).toMatch(/^server: waypost-demo\r$/im);
    child.kill('SIGINT');
    await Promise.all(taken.map((release) => release()));
  });

  test('build exports it', async () => {
    expect(await waypost('build', '--site', 'mine', '--out', 'export')).toMatchObject({ status: 0 });
    expect(await readFile(join(dir, 'export/www/index.html'), 'utf8')).toContain('Packed Brand');
  });

  test('a command shows its help, and answers a wrong option in one line with status 2', async () => {
    expect((await waypost('probe', '--help')).stdout).toContain('\nExample: waypost probe');
    const refused = await waypost('probe', '--colour');
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /^waypost probe: .*'--colour'.* \(see waypost probe --help\) \[usage\]\n$/,
    );
  });

  async function nameLine(): Promise<void> {
    const file = join(dir, 'mine/site.json');
    const site = JSON.parse(await readFile(file, 'utf8')) as Record<string, object>;
    const [host, ...fallback] = ['packed', 'b1', 'b2', 'b3', 'b4'].map(
      (name) => `http://${name}.localhost:${linePort}`,
    );
    const lines = { marker: MARKER, hosts: [host], fallback };
    const brand = { ...site.brand, name: 'Packed Brand' };
    await writeFile(file, JSON.stringify({ ...site, brand, lines }));
    await rm(join(dir, 'mine/json/urls/localhost.json'));
  }

  async function waypost(...args: readonly string[]): Promise<Outcome> {
    try {
      // Not by npx, which takes longer than the program.
      return { status: 0, ...(await run(join(dir, 'node_modules/.bin/waypost'), args, { cwd: dir, env })) };
    } catch (error) {
      // What `execFile` rejects with where a program ends with another status than 0.
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { status: code, stdout, stderr };
    }
  }

  async function start(port: number, ...args: readonly string[]): Promise<void> {
    // Not by npx, which would stay alive between us and the program.
    const program = join(dir, 'node_modules/.bin/waypost');
    const child = spawn(program, args, { cwd: dir, env, stdio: ['ignore', 'ignore', 'pipe'] });
    children.push(child);
    await waitUntilListening(child, [port]);
  }
});

/** npm speaks of its own affairs on standard error, unless it is told not to. */
const env = { ...process.env, npm_config_loglevel: 'silent', npm_config_update_notifier: 'false' };

/** Holds a port, unless another program does so already. */
async function occupy(port: number): Promise<() => Promise<void>> {
  // Connections are closed at once: the portals of other tests ask for lines at these ports.
  const server = createServer((socket) => void socket.destroy());
  const isMine = await new Promise((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  return async () => {
    if (isMine) await new Promise((resolve) => void server.close(resolve));
  };
}

async function readUntil(child: ChildProcess, words: string): Promise<string> {
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk);
    if (output.includes(words)) return output;
  }
  throw new Error(`the program ended without saying "${words}": ${output}`);
}

type DocumentLink = { readonly from: string; readonly path: string; readonly heading: string };

function findRelativeLinks(from: string, text: string): readonly DocumentLink[] {
  return [...text.matchAll(/\]\(([^)\s#]*)(?:#([^)\s]*))?\)/g)]
    .map(([, path = '', heading = '']) => ({ from, path, heading }))
    .filter(({ path }) => !/^[a-z]+:/.test(path));
}

/** True if the file or folder is there and, where the link names a heading, has that heading. */
async function leadsSomewhere(root: string, { from, path, heading }: DocumentLink): Promise<boolean> {
  const target = join(root, path === '' ? from : join(dirname(from), path));
  if (heading === '') return existsSync(target);
  const text = await readFile(target, 'utf8').catch(() => '');
  return [...text.matchAll(/^#+ (.+)$/gm)].some(([, title = '']) => anchorOf(title) === heading);
}

/** What GitHub makes of a heading: small letters, no punctuation, hyphens for spaces. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}
