import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawFreePorts } from '../../line/find-free-ports.ts';

export type TestRedis = {
  readonly url: string;
  /** Ends it at once, and all that it holds with it. */
  readonly kill: () => Promise<void>;
  /** Starts it again on the same port, empty. */
  readonly start: () => Promise<void>;
  /** Lets it hang, connections and all, until it is resumed. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly close: () => Promise<void>;
};

/** A real Redis on a free port of loopback, which keeps nothing on the disk. */
export async function startRedis(): Promise<TestRedis> {
  const [port = 0] = await drawFreePorts(1);
  const dir = await mkdtemp(join(tmpdir(), 'waypost-redis-'));
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const options = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const chunk of server.stdout ?? []) {
      if (String(chunk).includes('Ready to accept connections')) break;
    }
  };
  const kill = async (): Promise<void> => {
    const killed = server;
    server = undefined;
    if (killed === undefined) return;
    const exited = once(killed, 'exit');
    killed.kill('SIGKILL');
    await exited;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    pause: () => server?.kill('SIGSTOP'),
    resume: () => server?.kill('SIGCONT'),
    close: async () => {
      await kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
