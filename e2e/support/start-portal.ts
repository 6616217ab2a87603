import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Portal, PortalEnvironment } from './create-portal-host.ts';
import type { SiteChanges } from './make-site-folder.ts';
import { nameLocalhost, preparePortal } from './prepare-portal.ts';

/** Starts the shipped portal in a process of its own, for what is measured, and for one that shares a database. */
export async function startPortal(
  changes: SiteChanges,
  environment: PortalEnvironment = {},
): Promise<Portal> {
  const { siteDir, remove, ...prepared } = await preparePortal(changes, environment);
  const portal = spawn('node', ['dist/cli/main.js', 'serve', ...prepared.args], {
    env: { ...process.env, ...prepared.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  const closed = new Promise<void>((resolve) => portal.once('close', () => resolve()));
  const listening = new Promise<{ url: string; opsUrl: string }>((resolve, reject) => {
    portal.once('close', () => reject(new Error(`the portal did not start:\n${log.join('\n')}`)));
    createInterface({ input: portal.stderr }).on('line', (line) => log.push(line));
    createInterface({ input: portal.stdout }).on('line', (line) => {
      log.push(line);
      if (line.includes('"opsUrl"')) resolve(JSON.parse(line) as { url: string; opsUrl: string });
    });
  });
  const { url, opsUrl } = await listening;
  return {
    url: nameLocalhost(url),
    opsUrl,
    siteDir,
    log,
    async close() {
      // Killed, because other tests check how it closes, and closing takes a second for the connections that a browser
      // keeps.
      portal.kill('SIGKILL');
      await closed;
      await remove();
    },
  };
}
