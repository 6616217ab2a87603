import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { makeSiteFolder, type SiteChanges } from './make-site-folder.ts';

export type Portal = {
  readonly url: string;
  readonly opsUrl: string;
  readonly siteDir: string;
  /** What it has logged so far, line by line. */
  readonly log: readonly string[];
  readonly close: () => Promise<void>;
};

/** Environment variables of a portal. */
export type PortalEnvironment = Readonly<Record<string, string>>;

/**
 * Starts the shipped portal on free ports, with a site folder of its own: the demo brand's, with these changes. With
 * `probeEveryMs`, it probes its lines that often, so that no test waits 30 s for it.
 */
export async function startPortal(
  changes: SiteChanges,
  environment: PortalEnvironment = {},
  probeEveryMs?: number,
): Promise<Portal> {
  const site = await makeSiteFolder(changes);
  const dataDir = `${site.dir}-data`;
  const options = ['--site', site.dir, '--data', dataDir, '--host', '127.0.0.1'];
  const args = [...options, '--port', '0', '--ops-port', '0'];
  const shipped = ['dist/cli/main.js', 'serve', ...args];
  const portal = spawn('node', probeEveryMs === undefined ? shipped : serveQuickly(args, probeEveryMs), {
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

/** What `waypost serve` does, with another pause between the probes. */
function serveQuickly(args: readonly string[], probeEveryMs: number): readonly string[] {
  const call = `import { readOptions } from './dist/cli/serve.js';
    import { askLine, createCheckLine, servePortal } from './dist/cli/serve-portal.js';
    const options = readOptions(${JSON.stringify(args)}, process.env);
    const checkLine = createCheckLine({ allowsPrivate: process.env.WAYPOST_PRIVATE_LINES === 'on' });
    const probing = { askLine, checkLine, probeEveryMs: ${probeEveryMs} };
    await servePortal({ ...options, ...probing, isTerminal: false, hasWatchdog: true });`;
  return ['--input-type=module', '--eval', call];
}
