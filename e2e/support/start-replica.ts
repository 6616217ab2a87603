import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readUnit } from './read-unit.ts';

const INSTALLED = '/opt/waypost/node_modules/waypost/';
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export type ReplicaOptions = {
  readonly port: number;
  readonly siteDir: string;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** More variables than the unit sets. */
  readonly env?: NodeJS.ProcessEnv;
};

/** One portal of several, which a test may end and start again. */
export type Replica = {
  /** Everything that it has logged, over all its lives. */
  readonly log: readonly string[];
  /** The value of a metric, summed over its labels that hold this text; undefined while it is down. */
  readonly readMetric: (name: string, label?: string) => Promise<number | undefined>;
  readonly start: () => Promise<void>;
  readonly stop: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  /** Where its console is, until it is started again. */
  readonly opsUrl: () => string;
};

/** Starts a portal as the shipped systemd unit does, except for its folders, its operator's port and the hardening. */
export async function startReplica({
  port,
  siteDir,
  dataDir,
  databaseUrl,
  env = {},
}: ReplicaOptions): Promise<Replica> {
  const { environment, command } = await readUnit(String(port));
  const args = command.slice(1).map((argument) => argument.replace(INSTALLED, ROOT));
  const log: string[] = [];
  let child: ChildProcess | undefined;
  let opsUrl = '';

  const start = async (): Promise<void> => {
    const portal = spawn(process.execPath, args, {
      env: {
        PATH: process.env['PATH'],
        ...environment,
        WAYPOST_SITE: siteDir,
        WAYPOST_DATA: dataDir,
        WAYPOST_DATABASE_URL: databaseUrl,
        // Two replicas of one test must not want the same port. 0 draws a free one, which the log names.
        OPS_PORT: '0',
        PREVIEW_PORT: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = portal;
    createInterface({ input: portal.stderr }).on('line', (line) => log.push(line));
    opsUrl = await new Promise<string>((resolve, reject) => {
      portal.once('close', () => reject(new Error(`the portal did not start:\n${log.join('\n')}`)));
      createInterface({ input: portal.stdout }).on('line', (line) => {
        log.push(line);
        if (line.includes('"opsUrl"')) resolve((JSON.parse(line) as { opsUrl: string }).opsUrl);
      });
    });
  };
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = child;
    child = undefined;
    if (ended === undefined || ended.exitCode !== null) return;
    const exited = once(ended, 'exit');
    ended.kill(signal);
    await exited;
  };
  await start();
  return { log, start, stop, readMetric, opsUrl: () => opsUrl };

  async function readMetric(name: string, label = ''): Promise<number | undefined> {
    const answer = await fetch(`${opsUrl}/metrics`).catch(() => undefined);
    if (answer === undefined) return undefined;
    const rows = (await answer.text()).split('\n');
    const found = rows.filter((row) => /^[\w:]+/.exec(row)?.[0] === name && row.includes(label));
    return found.reduce((sum, row) => sum + Number(row.split(' ').at(-1)), 0);
  }
}
