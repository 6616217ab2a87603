import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LINE_PORTS } from '../contract/limits.ts';
import type { LineBehaviour } from '../line/line-behaviour.ts';
import { startLineHosts } from '../line/start-line-hosts.ts';
import { createLog } from '../server/create-log.ts';
import { startServer } from '../server/main.ts';
import { askLine } from './ask-line.ts';
import { type Command, UsageError } from './command.ts';
import { simulateVisitors } from './demo/simulate-visitors.ts';
import { parsePort } from './parse-port.ts';
import { waitForSignal } from './wait-for-signal.ts';

const SITE_DIR = fileURLToPath(new URL('../../site', import.meta.url));
const MARKER = 'waypost-demo';

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
${LINE_PORTS.join(', ')} of loopback. Ctrl-C ends it all.

  --port N        the portal's port               PORT           8080
  --ops-port N    the operator's port             OPS_PORT       8081
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
        port: { type: 'string', default: env['PORT'] || '8080' },
        'ops-port': { type: 'string', default: env['OPS_PORT'] || '8081' },
        site: { type: 'string', default: env['WAYPOST_SITE'] || SITE_DIR },
        data: { type: 'string', default: env['WAYPOST_DATA'] || 'data' },
        visitors: { type: 'string', default: '0' },
      },
    });
    const { log } = await createLog({ isTerminal: true });
    log.level = 'warn';
    const visitors = parseVisitors(values.visitors);
    const lines = await startLineHosts({ marker: MARKER, ports: LINE_PORTS, hosts: LINES });
    const starting = startServer({
      siteDir: values.site,
      dataDir: values.data,
      host: '127.0.0.1',
      port: parsePort('--port', values.port),
      opsHost: '127.0.0.1',
      opsPort: parsePort('--ops-port', values['ops-port']),
      log,
      askLine,
      // The simulated visitors come from networks of their own: this stands for the proxy that says so.
      ...(visitors > 0 ? { trustedProxies: ['127.0.0.1'] } : {}),
    });
    const server = await starting.catch(async (error: unknown) => {
      await lines.close();
      throw error;
    });
    const { url: portalUrl } = server;
    simulateVisitors({ portalUrl, marker: MARKER, ports: LINE_PORTS, visitors, lines, behaviours: LINES });
    console.log(describeAddresses(new URL(server.url).port, server.opsUrl));
    await waitForSignal(process);
    // Everything here is a demonstration: nothing is worth waiting for.
    process.exit(0);
  },
};

function parseVisitors(value: string): number {
  if (/^\d{1,3}$/.test(value)) return Number(value);
  throw new UsageError(`--visitors must be a number from 0 to 999, got "${value}"`);
}

function describeAddresses(port: string, opsUrl: string): string {
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
    `  Line hosts        http://line1.localhost:${LINE_PORTS[0]} … http://backup4.localhost:${LINE_PORTS[0]}`,
    '',
    '  Ctrl-C ends it.',
    '',
  ].join('\n');
}
