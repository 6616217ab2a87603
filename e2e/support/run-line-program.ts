import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LINE_PORTS } from '../../src/contract/limits.ts';
import type { Certificate } from './make-certificate.ts';

export type LineProgramOptions = {
  /** With it the line speaks https, without it http. */
  readonly certificate?: Certificate;
};

export type LineProgram = {
  /** What it answers with: the one of the shipped config. */
  readonly marker: string;
  /** Where it listens, in place of the ports that the shipped config names. */
  readonly ports: readonly number[];
  readonly close: () => Promise<void>;
};

/** One edit of a shipped config: what an operator would change, and what has to differ in a test. */
export type Edit = readonly [from: string | RegExp, to: string];

type LineProgramPlan = {
  /** The file of `deploy/line` that the program is run on. */
  readonly config: string;
  readonly command: string;
  readonly args: (dir: string) => readonly string[];
  /** What it needs beside that config, by file name. */
  readonly files?: (dir: string) => Readonly<Record<string, string>>;
  /** `ports` take the place of `LINE_PORTS`, one for one. */
  readonly edits: (ports: readonly number[]) => readonly Edit[];
  /** What the config's own comments tell an operator to change for a line without a certificate. */
  readonly httpEdits: readonly Edit[];
  readonly options: LineProgramOptions;
};

const DEPLOY_DIR = fileURLToPath(new URL('../../deploy/line/', import.meta.url));
const SHIPPED_MARKER = 'waypost-demo';
const SHIPPED_CERTIFICATE_DIR = '/etc/ssl/waypost-line';
const SHIPPED_ROOT = '/var/www/waypost-line';
const READY_TIMEOUT_MS = 10_000;
const POLL_MS = 10;
/** Below what Linux hands out by itself, so that no client's socket is in the way. */
const [LOWEST_PORT, HIGHEST_PORT] = [20_000, 32_000];

/** Runs a web server on a config of `deploy/line`, on loopback ports and in a temporary folder of its own. */
export async function runLineProgram(plan: LineProgramPlan): Promise<LineProgram> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-line-'));
  const ports = await drawFreePorts(LINE_PORTS.length);
  await writeFiles(plan, dir, ports);
  const child = spawn(plan.command, plan.args(dir), {
    env: { HOME: dir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(child, ports);
  } catch (error) {
    await close();
    throw error;
  }
  return { marker: SHIPPED_MARKER, ports, close };
}

async function writeFiles(plan: LineProgramPlan, dir: string, ports: readonly number[]): Promise<void> {
  const { certificate } = plan.options;
  const shipped = await readFile(join(DEPLOY_DIR, plan.config), 'utf8');
  const config = edit(shipped, [
    [SHIPPED_ROOT, join(DEPLOY_DIR, 'www')],
    ...plan.edits(ports),
    ...(certificate ? [[SHIPPED_CERTIFICATE_DIR, dir] as const] : plan.httpEdits),
  ]);
  const files = {
    ...plan.files?.(dir),
    ...(certificate && { 'fullchain.pem': certificate.cert, 'privkey.pem': certificate.key }),
    [plan.config]: config,
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(dir, name), text)));
}

/** Every edit must find something: a config that has moved on is noticed here, not in a test that tests nothing. */
function edit(config: string, edits: readonly Edit[]): string {
  return edits.reduce((text, [from, to]) => {
    const edited = text.replaceAll(from, to);
    if (edited === text) throw new Error(`the shipped config has no ${String(from)}`);
    return edited;
  }, config);
}

async function drawFreePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT));
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false; // In use: another is drawn.
  } finally {
    server.close();
  }
}

async function waitUntilReady(child: ChildProcess, ports: readonly number[]): Promise<void> {
  const output: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (const port of ports) {
    while (!(await accepts(port))) {
      if (child.exitCode !== null || performance.now() > deadline) {
        throw new Error(`${child.spawnfile} does not listen on ${port}: ${Buffer.concat(output).toString()}`);
      }
      await wait(POLL_MS);
    }
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // Not yet.
  } finally {
    socket.destroy();
  }
}
