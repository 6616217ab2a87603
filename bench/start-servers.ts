import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { drawFreePorts } from '../src/line/find-free-ports.ts';

/** A server under measurement, in a process of its own. */
export type MeasuredServer = { readonly port: number; readonly close: () => Promise<void> };

/** One answer, as every server beside the portal gives it: the portal's own bytes. */
export type FixedAnswer = {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
};

type LineSettings = { readonly hosts: readonly (string | { readonly host: string })[] };

/** Other settings, options and variables than the default ones, and what the data folder holds at the start. */
export type PortalWorld = {
  readonly site?: object;
  readonly fillData?: (dataDir: string) => Promise<void>;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** How many files and connections the system lets it have. */
  readonly maxFiles?: number;
  /** The checkout whose portal it is; this one by default. It must have been built. */
  readonly root?: string;
};

/** As in deploy/portal/waypost@.service. */
const MALLOC = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** The shipped portal with its default settings, as the shipped unit starts it, behind a trusted proxy: us. Its lines may be changed. */
export async function startPortal(
  changeLines: (lines: LineSettings) => object = () => ({}),
  { site, fillData, args = [], env = {}, maxFiles, root = '.' }: PortalWorld = {},
): Promise<MeasuredServer & { readonly opsUrl: string; readonly siteDir: string; readonly pid: number }> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-bench-'));
  await cp(join(root, 'site'), join(dir, 'site'), { recursive: true });
  const config = JSON.parse(await readFile(join(root, 'site/site.json'), 'utf8')) as {
    readonly lines: LineSettings;
  };
  const lines = { ...config.lines, ...changeLines(config.lines) };
  await writeFile(
    join(dir, 'site/site.json'),
    JSON.stringify({ ...config, lines, network: { trustedProxies: ['127.0.0.1'] }, ...site }),
  );
  await fillData?.(join(dir, 'data'));
  const log = await open(join(dir, 'log'), 'w');
  const child = spawn(
    'sh',
    [
      '-c',
      `${maxFiles === undefined ? '' : `ulimit -n ${maxFiles};`} exec "$0" "$@"`,
      process.execPath,
      '--max-semi-space-size=8',
      join(root, 'dist/cli/main.js'),
      'serve',
      '--site',
      join(dir, 'site'),
      '--data',
      join(dir, 'data'),
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      '--ops-port',
      '0',
      ...args,
    ],
    { stdio: ['ignore', log.fd, 'inherit'], env: { ...process.env, ...MALLOC, ...env } },
  );
  const { url, opsUrl } = await readAddresses(join(dir, 'log'));
  return {
    port: Number(new URL(url).port),
    opsUrl,
    siteDir: join(dir, 'site'),
    pid: child.pid ?? 0,
    close: async () => {
      await end(child);
      await log.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A bare server of `bench/servers`, which gives one answer to everything. */
export async function startBare(script: 'node-http' | 'hono', answer: FixedAnswer): Promise<MeasuredServer> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-bench-'));
  const file = join(dir, 'answer.json');
  await writeFile(file, JSON.stringify({ ...answer, body: answer.body.toString('base64') }));
  const child = spawn(process.execPath, [`bench/servers/${script}.mjs`, file], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    port,
    close: async () => {
      await end(child);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** nginx with one worker, which sends the bytes as a file. */
export async function startNginx(answer: FixedAnswer): Promise<MeasuredServer> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-bench-'));
  const [port = 0] = await drawFreePorts(1);
  await mkdir(join(dir, 'www'));
  await writeFile(join(dir, 'www/answer'), answer.body);
  const headers = Object.entries(answer.headers)
    .filter(([name]) => !/^content-(?:length|type)$/i.test(name))
    .map(([name, value]) => `add_header ${name} '${value.replaceAll("'", '"')}';`);
  await writeFile(
    join(dir, 'nginx.conf'),
    `daemon off; master_process off; pid ${dir}/pid; error_log /dev/null;
     events { worker_connections 1024; }
     http {
       access_log ${dir}/access.log combined buffer=16k; sendfile on; keepalive_requests 1000000000;
       default_type '${answer.headers['content-type']}';
       server { listen 127.0.0.1:${port}; root ${dir}/www; ${headers.join(' ')} location / { rewrite ^ /answer break; } }
     }`,
  );
  const child = spawn('/usr/sbin/nginx', ['-c', join(dir, 'nginx.conf'), '-p', dir], { stdio: 'ignore' });
  await waitUntilAnswering(port);
  return {
    port,
    close: async () => {
      await end(child);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** What the portal answers to a request, to be given by the others too. */
export function recordAnswer(url: string, headers: Record<string, string>): Promise<FixedAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...kept } = response.headers;
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: kept as Record<string, string>, // None of them comes twice.
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.on('error', reject).end();
  });
}

async function readAddresses(file: string): Promise<{ url: string; opsUrl: string }> {
  for (;;) {
    const line = (await readFile(file, 'utf8')).split('\n').find((line) => line.includes('"listening"'));
    if (line !== undefined) return JSON.parse(line) as { url: string; opsUrl: string };
    await wait(50);
  }
}

async function waitUntilAnswering(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    if (answer?.ok) return;
    await wait(50);
  }
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}
