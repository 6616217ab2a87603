import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Portal, PortalEnvironment } from './create-portal-host.ts';
import { makeSiteFolder, type SiteChanges } from './make-site-folder.ts';

/** Starts the shipped portal in a process of its own, for what is measured, and for one that shares a database. */
export async function startPortal(
  changes: SiteChanges,
  environment: PortalEnvironment = {},
): Promise<Portal> {
  const site = await makeSiteFolder(changes);
  const dataDir = `${site.dir}-data`;
  const options = ['--site', site.dir, '--data', dataDir, '--host', '127.0.0.1'];
  const args = ['dist/cli/main.js', 'serve', ...options, '--port', '0', '--ops-port', '0'];
  const portal = spawn('node', args, {
    // The tests count the requests that reach a line, and these must come only from their pages.
    env: { ...process.env, WAYPOST_WATCH_LINES: 'off', ...environment },
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
    // By its name, as a visitor of the demo would: the guard of /t knows "localhost".
    url: `http://localhost:${new URL(url).port}`,
    opsUrl,
    siteDir: site.dir,
    log,
    async close() {
      // Killed, because other tests check how it closes, and closing takes a second for the connections that a browser
      // keeps.
      portal.kill('SIGKILL');
      await closed;
      await Promise.all([site.remove(), rm(dataDir, { recursive: true, force: true })]);
    },
  };
}
