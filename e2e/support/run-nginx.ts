import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nginxMainConfig } from './nginx-main-config.ts';
import { waitUntilListening } from './wait-until-listening.ts';

export const NGINX = '/usr/sbin/nginx';

export type Nginx = {
  /** What it wrote to its error log so far. */
  readonly log: readonly string[];
  readonly close: () => Promise<void>;
};

/** Runs Debian's nginx on one config of ours, in a folder that the caller made and takes away. */
export async function runNginx(dir: string, config: string, ports: readonly number[]): Promise<Nginx> {
  await Promise.all([
    writeFile(join(dir, 'main.conf'), nginxMainConfig(dir)),
    writeFile(join(dir, 'nginx.conf'), config),
  ]);
  const child = spawn(NGINX, ['-p', dir, '-c', join(dir, 'main.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log: string[] = [];
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => log.push(...text.split('\n').filter(Boolean)));
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  };
  await waitUntilListening(child, ports);
  return { log, close };
}
