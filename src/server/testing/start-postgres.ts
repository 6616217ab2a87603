import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { drawFreePorts } from '../../line/find-free-ports.ts';

export type TestPostgres = {
  /** The address of a database, as a user with all rights. */
  readonly urlOf: (database: string) => string;
  /** Makes a new, empty database. Returns its address. */
  readonly createDatabase: () => Promise<string>;
  /** Runs a statement as a user with all rights. */
  readonly run: (sql: string) => Promise<void>;
  /** Ends it at once, in the middle of whatever it does. */
  readonly kill: () => Promise<void>;
  /** Starts it again on the same port, with what it had. */
  readonly start: () => Promise<void>;
  /** Lets it hang, connections and all, until it is resumed. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly close: () => Promise<void>;
};

const HOME = '/usr/lib/postgresql';
const PASSWORD = 'only-for-tests';
const POLL_MS = 50;
const IS_DONE = [() => true, () => false] as const;
const execute = promisify(execFile);

/** A real PostgreSQL on a free port of loopback, with its files in a folder of its own. */
export async function startPostgres(): Promise<TestPostgres> {
  const [port = 0] = await drawFreePorts(1);
  const dir = await mkdtemp(join(tmpdir(), 'waypost-postgres-'));
  await chmod(dir, 0o700);
  const passwordFile = join(dir, 'password');
  await writeFile(passwordFile, PASSWORD);
  await giveToServer(dir);
  await giveToServer(passwordFile);
  const data = join(dir, 'data');
  await execute(
    ...asServer('initdb', [
      '-N',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--locale=C.UTF-8',
      '-D',
      data,
    ]),
  );
  let server: ChildProcess | undefined;
  let databases = 0;

  const urlOf = (database: string): string => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`;
  const run = async (sql: string): Promise<void> => {
    const client = new Client(urlOf('postgres'));
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const start = async (): Promise<void> => {
    const args = [
      '-D',
      data,
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${dir}`,
    ];
    server = spawn(...asServer('postgres', args), { stdio: 'ignore' });
    while (!(await run('select 1').then(...IS_DONE))) await pause(POLL_MS);
  };
  const signal = (name: NodeJS.Signals): void => {
    if (server?.pid === undefined) return;
    // Each connection has a process of its own.
    const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim();
    for (const pid of [server.pid, ...children.split(' ').map(Number)]) process.kill(pid, name);
  };
  const kill = async (): Promise<void> => {
    if (server === undefined) return;
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    signal('SIGKILL');
    await ended;
    server = undefined;
    await rm(join(data, 'postmaster.pid'), { force: true });
  };
  await start();
  return {
    urlOf,
    run,
    createDatabase: async () => {
      const name = `test_${(databases += 1)}`;
      await run(`create database ${name}`);
      return urlOf(name);
    },
    kill,
    start,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    close: async () => {
      await kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. */
function asServer(program: string, args: readonly string[]): [string, string[]] {
  const version = readdirSync(HOME).toSorted().at(-1) ?? '';
  const path = join(HOME, version, 'bin', program);
  if (userInfo().uid !== 0) return [path, [...args]];
  return ['setpriv', ['--reuid=postgres', '--regid=postgres', '--init-groups', path, ...args]];
}

async function giveToServer(path: string): Promise<void> {
  if (userInfo().uid !== 0) return;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (option) => Number((await execute('id', [option, 'postgres'])).stdout)),
  );
  await chown(path, uid ?? 0, gid ?? 0);
}
