import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LINE_PORTS } from '../contract/limits.ts';
import type { LineBehaviour } from '../line/line-behaviour.ts';
import { findFreePorts } from '../line/find-free-ports.ts';
import { startLineHosts } from '../line/start-line-hosts.ts';
import { createLog } from '../server/process/create-log.ts';
import { startServer } from '../server/main.ts';
import { loadSite } from '../server/site/load-site.ts';
import { type Command, UsageError, parsePort, waitForSignal } from './command.ts';
import { simulateVisitors } from './demo/simulate-visitors.ts';
import { writeSiteFolder } from './init.ts';
import { askLine } from './serve-portal.ts';

const DEMO_DIR = fileURLToPath(new URL('../../site', import.meta.url));
const MARKER = 'waypost-demo';
const PORTAL_PORT = 8080;
const OPS_PORT = 8081;

/** Each with its own delay, so that there is something to measure. */
const LINES: Readonly<Record<string, LineBehaviour>> = {
  'line1.localhost': { delayMs: 90 },
  'line2.localhost': { delayMs: 35 },
  'line3.localhost': { delayMs: 160 },
  'line4.localhost': { delayMs: 420 },
  'backup1.localhost': { delayMs: 60 },
  'backup2.localhost': { delayMs: 120 },
  'backup3.localhost': { delayMs: 240 },
  'backup4.localhost': { delayMs: 600 },
};

/** `waypost demo`: the portal with the demo brand and line hosts of its own, all on loopback. */
export const demo: Command = {
  summary: 'run the portal with a demo brand and line hosts of its own',
  help: `Usage: waypost demo [options]

Runs the portal with the demo brand, the operator's listener, and eight line hosts on ports
${LINE_PORTS.join(', ')} of loopback. A port that another program uses is replaced by a free one,
and the demo says so; one that you choose yourself is never replaced. With --site, the line hosts use the
ports of its lines.ports. Ctrl-C ends it all.

  --port N        the portal's port               PORT           ${PORTAL_PORT}
  --ops-port N    the operator's port             OPS_PORT       ${OPS_PORT}
  --site DIR      a site folder of your own       WAYPOST_SITE   the demo brand's
  --data DIR      the server's own folder         WAYPOST_DATA   data
  --visitors N    simulated visitors, from made-up networks with made-up troubles, so that the
                  operator's console has something to show                       0

Each option may be set by the environment variable beside it; the last column is the default.

Example: waypost demo --visitors 20`,
  run: async (args) => {
    const { env } = process;
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: env['PORT'] || '' },
        'ops-port': { type: 'string', default: env['OPS_PORT'] || '' },
        site: { type: 'string', default: env['WAYPOST_SITE'] || '' },
        data: { type: 'string', default: env['WAYPOST_DATA'] || 'data' },
        visitors: { type: 'string', default: '0' },
      },
    });
    const { log } = await createLog({ isTerminal: true });
    log.level = 'warn';
    const visitors = parseVisitors(values.visitors);
    const usual = [PORTAL_PORT, OPS_PORT, ...LINE_PORTS];
    const free = await findFreePorts(usual);
    const [freePort = 0, freeOpsPort = 0, ...freeLinePorts] = free;
    const place = await findPlace(values.site, freeLinePorts);
    const lines = await startLineHosts({ marker: MARKER, ports: place.linePorts, hosts: LINES });
    const starting = startServer({
      siteDir: place.siteDir,
      dataDir: values.data,
      host: '127.0.0.1',
      port: values.port ? parsePort('--port', values.port) : freePort,
      opsHost: '127.0.0.1',
      opsPort: values['ops-port'] ? parsePort('--ops-port', values['ops-port']) : freeOpsPort,
      log,
      askLine,
      // The simulated visitors name their own addresses, as a trusted proxy would.
      ...(visitors > 0 ? { trustedProxies: ['127.0.0.1'] } : {}),
    });
    const server = await starting.catch(async (error: unknown) => {
      await Promise.all([lines.close(), leavePlace(place)]);
      throw error;
    });
    const { url: portalUrl } = server;
    const { ports } = lines;
    simulateVisitors({ portalUrl, marker: MARKER, ports, visitors, lines, behaviours: LINES });
    console.log(describeAddresses(new URL(server.url).port, server.opsUrl, ports[0]));
    const taken = usual.filter((port) => !free.includes(port));
    if (taken.length > 0) console.log(`  In use by other programs, and replaced: ${taken.join(', ')}\n`);
    await waitForSignal(process);
    await leavePlace(place);
    // A demo has nothing to save before it ends.
    process.exit(0);
  },
};

type Place = {
  readonly siteDir: string;
  readonly linePorts: readonly number[];
  /** True if the folder was written for this run only. */
  readonly isCopy: boolean;
};

/**
 * Finds the folder to serve and the ports of its lines. If the usual ports are taken, a copy of the demo's folder has
 * the others.
 */
async function findPlace(givenDir: string, freePorts: readonly number[]): Promise<Place> {
  if (givenDir !== '') {
    const { site } = await loadSite(givenDir);
    return { siteDir: givenDir, linePorts: site.config.lines.ports, isCopy: false };
  }
  const isCopy = freePorts.some((port, index) => port !== LINE_PORTS[index]);
  return { siteDir: isCopy ? await copyDemoSite(freePorts) : DEMO_DIR, linePorts: freePorts, isCopy };
}

/** Writes a copy of the demo's site folder with other line ports. */
async function copyDemoSite(ports: readonly number[]): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-demo-'));
  await writeSiteFolder(dir);
  const siteFile = join(dir, 'site.json');
  // The demo's own file, which is tested.
  const site = JSON.parse(await readFile(siteFile, 'utf8')) as { readonly lines: object };
  await writeFile(siteFile, JSON.stringify({ ...site, lines: { ...site.lines, ports } }));
  const targetFile = join(dir, 'json/urls/localhost.json');
  const target = await readFile(targetFile, 'utf8');
  const moved = target.replaceAll(/:(\d+)"/g, (_, port) => `:${ports[LINE_PORTS.indexOf(Number(port))]}"`);
  await writeFile(targetFile, moved);
  return dir;
}

async function leavePlace({ siteDir, isCopy }: Place): Promise<void> {
  if (isCopy) await rm(siteDir, { recursive: true, force: true });
}

function parseVisitors(value: string): number {
  if (/^\d{1,3}$/.test(value)) return Number(value);
  throw new UsageError(`--visitors must be a number from 0 to 999, got "${value}"`);
}

function describeAddresses(port: string, opsUrl: string, linePort: number | undefined): string {
  const portal = `http://localhost:${port}`;
  return [
    '',
    '  Waypost demo',
    '',
    `  Landing page      ${portal}/`,
    `  To the fastest    ${portal}/r`,
    `  Type redirect     ${portal}/t`,
    `  Console           ${new URL('/', opsUrl).href}`,
    `  Metrics           ${new URL('/metrics', opsUrl).href}`,
    ...(linePort === undefined
      ? []
      : [`  Line hosts        http://line1.localhost:${linePort} … http://backup4.localhost:${linePort}`]),
    '',
    '  Ctrl-C ends it.',
    '',
  ].join('\n');
}
