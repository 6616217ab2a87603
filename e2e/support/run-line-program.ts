import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LINE_PORTS } from '../../src/contract/limits.ts';
import { drawFreePorts } from '../../src/line/find-free-ports.ts';
import { type Edit, editConfig } from './edit-config.ts';
import type { Certificate } from './make-certificate.ts';
import { waitUntilListening } from './wait-until-listening.ts';

export type LineProgramOptions = {
  /** With it the line speaks https, without it http. */
  readonly certificate?: Certificate;
  /** Turns the example on that refuses to be fetched ahead. */
  readonly isRefusingPrefetch?: boolean;
};

export type LineProgram = {
  /** What it answers with: the one of the shipped config. */
  readonly marker: string;
  /** Where it listens, in place of the ports that the shipped config names. */
  readonly ports: readonly number[];
  readonly close: () => Promise<void>;
};

type LineProgramPlan = {
  /** The file of `deploy/line` that the program is run on. */
  readonly config: string;
  readonly command: string;
  readonly args: (dir: string) => readonly string[];
  /** What it needs in addition to that config, by file name. */
  readonly files?: (dir: string) => Readonly<Record<string, string>>;
  /** `ports` take the place of `LINE_PORTS`, one for one. */
  readonly edits: (ports: readonly number[]) => readonly Edit[];
  /** What the config's own comments tell an operator to change for a line without a certificate. */
  readonly httpEdits: readonly Edit[];
  readonly options: LineProgramOptions;
};

/** Comments have a space behind the sign; an example has none. */
const EXAMPLE: Edit = [/^(\s*)#(?=\S)/gm, '$1'];
const DEPLOY_DIR = fileURLToPath(new URL('../../deploy/line/', import.meta.url));
const SHIPPED_MARKER = 'waypost-demo';
const SHIPPED_CERTIFICATE_DIR = '/etc/ssl/waypost-line';
const SHIPPED_ROOT = '/var/www/waypost-line';

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
    await waitUntilListening(child, ports);
  } catch (error) {
    await close();
    throw error;
  }
  return { marker: SHIPPED_MARKER, ports, close };
}

async function writeFiles(plan: LineProgramPlan, dir: string, ports: readonly number[]): Promise<void> {
  const { certificate, isRefusingPrefetch = false } = plan.options;
  const shipped = await readFile(join(DEPLOY_DIR, plan.config), 'utf8');
  const config = editConfig(shipped, [
    [SHIPPED_ROOT, join(DEPLOY_DIR, 'www')],
    ...plan.edits(ports),
    ...(isRefusingPrefetch ? [EXAMPLE] : []),
    ...(certificate ? [[SHIPPED_CERTIFICATE_DIR, dir] as const] : plan.httpEdits),
  ]);
  const files = {
    ...plan.files?.(dir),
    ...(certificate && { 'fullchain.pem': certificate.cert, 'privkey.pem': certificate.key }),
    [plan.config]: config,
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(dir, name), text)));
}
