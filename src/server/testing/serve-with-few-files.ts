import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { type AppEnv, createApp } from '../http/create-app.ts';
import { listen } from '../http/listen.ts';

/** Serves in a process that may have 128 files and connections, and tells the parent process where. */
export async function serveWithFewFiles(): Promise<void> {
  await promisify(execFile)('prlimit', ['--pid', String(process.pid), '--nofile=128:128']);
  const log = pino({ level: 'silent' });
  const app = createApp<AppEnv>(log).all('*', (c) => c.text('ok'));
  const { url } = await listen({ app, log, host: '127.0.0.1', port: 0 });
  process.send?.(url);
}
