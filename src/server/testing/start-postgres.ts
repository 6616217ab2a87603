import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { drawFreePorts } from '../../line/find-free-ports.ts';

export type TestPostgres = {
  readonly port: number;
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
  /** The processes of the server: each connection has one of its own. */
  readonly pids: () => readonly number[];
  /**
   * Starts another server that follows this one. Each commit waits from then on until both have it: nothing that was kept is lost
   * with this one.
   */
  readonly startStandby: () => Promise<TestStandby>;
  readonly close: () => Promise<void>;
};

export type TestStandby = Omit<TestPostgres, 'startStandby'> & {
  /** Makes it a server like any other. */
  readonly promote: () => Promise<void>;
};

const HOME = '/usr/lib/postgresql';
const PASSWORD = 'only-for-tests';
const POLL_MS = 50;
const IS_DONE = [() => true, () => false] as const;
const execute = promisify(execFile);

/** A real PostgreSQL on a free port of loopback, with its files in a folder of its own. */
export async function startPostgres(): Promise<TestPostgres> {
  const template = await makeTemplate();
  const dir = await makeFolder();
  await execute('cp', ['-a', dataOf(template), dataOf(dir)]);
  const server = await runServer(dir);
  const startStandby = async (): Promise<TestStandby> => {
    const own = await makeFolder();
    const name = 'standby';
    const primary = `${server.urlOf('')}?application_name=${name}`;
    await execute(
      ...asServer('pg_basebackup', ['-d', primary, '-D', dataOf(own), '-R', '-X', 'stream', '-c', 'fast']),
    );
    const standby = await runServer(own);
    await server.run(`alter system set synchronous_standby_names = '${name}'`);
    await server.run('select pg_reload_conf()');
    return {
      ...standby,
      promote: async () => {
        await standby.run('select pg_promote()');
        // It would wait for a standby of its own.
        await standby.run('alter system reset synchronous_standby_names');
        await standby.run('select pg_reload_conf()');
      },
    };
  };
  return { ...server, startStandby };
}

/** Runs a server on the files of a folder. */
async function runServer(dir: string): Promise<Omit<TestPostgres, 'startStandby'>> {
  const [port = 0] = await drawFreePorts(1);
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
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${dir}`,
      // A server that is killed would leave its shared memory in /dev/shm for ever.
      'dynamic_shared_memory_type=mmap',
    ];
    const args = ['-D', dataOf(dir), '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
    while (!(await run('select 1').then(...IS_DONE))) {
      // It refuses to start while processes that were killed are still ending.
      if (server === undefined || server.exitCode !== null)
        server = spawn(...asServer('postgres', args), { stdio: 'ignore' });
      await pause(POLL_MS);
    }
  };
  const pids = (): readonly number[] => {
    if (server?.pid === undefined) return [];
    const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim();
    return [server.pid, ...children.split(' ').map(Number)];
  };
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of pids()) {
      try {
        process.kill(pid, name);
      } catch {
        // A connection has ended meanwhile.
      }
    }
  };
  const kill = async (): Promise<void> => {
    if (server === undefined) return;
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    signal('SIGKILL');
    await ended;
    server = undefined;
    await rm(join(dataOf(dir), 'postmaster.pid'), { force: true });
  };
  await start();
  return {
    port,
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
    pids,
    close: async () => {
      await kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The files of an empty server. It takes a second of a core to make them, so that all tests of a machine copy the same ones. */
async function makeTemplate(): Promise<string> {
  const template = join(tmpdir(), `waypost-postgres-${findVersion()}-template`);
  if (existsSync(template)) return template;
  const dir = await makeFolder();
  const passwordFile = join(dir, 'password');
  await writeFile(passwordFile, PASSWORD);
  await giveToServer(passwordFile);
  const options = ['-N', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '--locale=C.UTF-8'];
  await execute(...asServer('initdb', [...options, '-D', dataOf(dir)]));
  // Another test may have been faster.
  await rename(dir, template).catch(() => rm(dir, { recursive: true, force: true }));
  return template;
}

async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-postgres-'));
  await chmod(dir, 0o700);
  await giveToServer(dir);
  return dir;
}

function dataOf(dir: string): string {
  return join(dir, 'data');
}

/** PostgreSQL refuses to run as root. */
function asServer(program: string, args: readonly string[]): [string, string[]] {
  const path = join(HOME, findVersion(), 'bin', program);
  if (userInfo().uid !== 0) return [path, [...args]];
  return ['setpriv', ['--reuid=postgres', '--regid=postgres', '--init-groups', path, ...args]];
}

function findVersion(): string {
  return readdirSync(HOME).toSorted().at(-1) ?? '';
}

async function giveToServer(path: string): Promise<void> {
  if (userInfo().uid !== 0) return;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (option) => Number((await execute('id', [option, 'postgres'])).stdout)),
  );
  await chown(path, uid ?? 0, gid ?? 0);
}
