import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LINE_PORTS } from '../contract/limits.ts';
import { findFreePorts } from '../line/find-free-ports.ts';
import { startLineHosts } from '../line/start-line-hosts.ts';
import { listen } from '../server/http/listen.ts';
import { createLog } from '../server/process/create-log.ts';
import { checkFolder } from './given-paths.ts';
import { type Command, UsageError, parsePort, waitForSignal } from './command.ts';
import { DEMO_BACKUPS, DEMO_LINES } from './demo/demo-lines.ts';
import { openDemoSite } from './demo/open-demo-site.ts';
import { type DemoPlaces, describeDemo, describeTour } from './demo/describe-demo.ts';
import { simulateVisitors } from './demo/simulate-visitors.ts';
import { createSwitchboard, createSwitchboardApp, keepFlapping } from './demo/switchboard.ts';
import { inviteFirstOwner } from './operator.ts';
import { askLine, createCheckLine } from './serve-portal.ts';

const MARKER = 'waypost-demo';
const LOOPBACK = '127.0.0.1';
const PORTAL_PORT = 8080;
const OPS_PORT = 8081;
const SWITCHBOARD_PORT = 8082;
const PREVIEW_PORT = 8083;
/** More often than a real portal, so that the person at the demo sees a change soon. */
const PROBE_EVERY_MS = 5_000;
/** Invited at each start, until somebody sets up the account. */
const DEMO_OWNER = 'operator';

/** `waypost demo`: the portal with the demo brand and line hosts of its own, all on loopback. */
export const demo: Command = {
  help: `Usage: waypost demo [options]

Runs the portal with the demo brand, the operator's listener, sixteen line hosts (twelve lines in three imaginary
places, four backups) on ports ${LINE_PORTS.join(', ')} of loopback, and a switchboard: a page
with a button for each line, on port ${SWITCHBOARD_PORT}. It serves a copy of the demo brand's folder, which you may change; the
copy, and what the server keeps, is removed at the end. A port that another program uses is replaced by a free one, and the demo says so; one
that you choose yourself is never replaced. With --site, the line hosts use the ports of its lines.ports. Ctrl-C
ends it all.

  --port N        the portal's port               PORT           ${PORTAL_PORT}
  --ops-port N    the operator's port             OPS_PORT       ${OPS_PORT}
  --site DIR      a site folder of your own       WAYPOST_SITE   a copy of the demo brand's
  --data DIR      the server's own folder         WAYPOST_DATA   a new one, or data with --site
  --visitors N    simulated visitors of six networks, each near one of the places, so that the
                  operator's console has something to show                       0
  --tour          print what to try, in six steps

Each option may be set by the environment variable beside it; the last column is the default.

Example: waypost demo --visitors 20`,
  run: async (args) => {
    const { env } = process;
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: env.PORT || '' },
        'ops-port': { type: 'string', default: env.OPS_PORT || '' },
        site: { type: 'string' },
        data: { type: 'string' },
        visitors: { type: 'string', default: '0' },
        tour: { type: 'boolean', default: false },
      },
    });
    const { site = env.WAYPOST_SITE || undefined, tour } = values;
    if (tour && site !== undefined)
      throw new UsageError('--tour leads through the demo brand: leave --site out');
    const dataDir = values.data ?? (env.WAYPOST_DATA || undefined);
    if (dataDir !== undefined) await checkFolder('--data', dataDir);
    const { places, replaced, leave } = await startDemo({
      port: values.port ? parsePort('--port', values.port) : undefined,
      opsPort: values['ops-port'] ? parsePort('--ops-port', values['ops-port']) : undefined,
      givenDir: site,
      givenDataDir: dataDir,
      visitors: parseVisitors(values.visitors),
    });
    const command = env.npm_lifecycle_event === 'start' ? 'npm start --' : 'npx waypost demo';
    console.log(tour ? describeTour(places) : describeDemo(places, command));
    if (replaced.length > 0)
      console.log(`  In use by other programs, and replaced: ${replaced.join(', ')}\n`);
    await waitForSignal(process);
    await leave();
    // A demo has nothing to save before it ends.
    process.exit(0);
  },
};

type DemoOptions = {
  /** A port that the person chose. */
  readonly port: number | undefined;
  readonly opsPort: number | undefined;
  /** A site folder of the person's own. Undefined for a copy of the demo brand's. */
  readonly givenDir: string | undefined;
  readonly givenDataDir: string | undefined;
  readonly visitors: number;
};

type RunningDemo = {
  readonly places: DemoPlaces;
  /** The ports that other programs use. */
  readonly replaced: readonly number[];
  /** Removes what was written for this run. */
  readonly leave: () => Promise<void>;
};

/** Starts every part of the demo. If one fails, the others are closed. */
async function startDemo(options: DemoOptions): Promise<RunningDemo> {
  const { port, opsPort, givenDir, visitors } = options;
  const { log } = await createLog({ isTerminal: true });
  log.level = 'warn';
  const usual = [port ?? PORTAL_PORT, opsPort ?? OPS_PORT, SWITCHBOARD_PORT, PREVIEW_PORT, ...LINE_PORTS];
  const free = await findFreePorts(usual);
  const [freePort = 0, freeOpsPort = 0, switchboardPort = 0, previewPort = 0, ...freeLinePorts] = free;
  const site = await openDemoSite(givenDir, freeLinePorts);
  const dataDir = options.givenDataDir ?? site.dataDir ?? 'data';
  const closing = [site.leave];
  try {
    const hosts = Object.fromEntries(DEMO_LINES.map(({ host, behaviour }) => [host, behaviour]));
    const lines = await startLineHosts({
      marker: MARKER,
      ports: site.linePorts,
      hosts: { ...hosts, ...DEMO_BACKUPS },
    });
    closing.push(lines.close);
    const switchboard = createSwitchboard(lines);
    const app = createSwitchboardApp(switchboard);
    const listener = await listen({ app, log, host: LOOPBACK, port: switchboardPort });
    closing.push(listener.close);
    // Imported here, so that `--help` does not load the server.
    const { startServer } = await import('../server/main.ts');
    const server = await startServer({
      siteDir: site.dir,
      dataDir,
      host: LOOPBACK,
      port: port ?? freePort,
      opsHost: LOOPBACK,
      opsPort: opsPort ?? freeOpsPort,
      previewPort,
      log,
      askLine,
      isEditing: true,
      // Everybody may look, until somebody has set up the account. To change the site, one must sign in.
      mustSignIn: false,
      checkLine: createCheckLine({ allowsPrivate: true }),
      probeEveryMs: PROBE_EVERY_MS,
      // The simulated visitors name their own addresses, as a trusted proxy would.
      ...(visitors > 0 ? { trustedProxies: [LOOPBACK] } : {}),
    });
    closing.push(server.close);
    const invitation = await inviteFirstOwner({ dataDir }, DEMO_OWNER);
    void keepFlapping(switchboard, wait);
    simulateVisitors({ portalUrl: server.url, marker: MARKER, ports: lines.ports, visitors });
    // By its name, because `/t` works there and not at 127.0.0.1.
    const portalUrl = `http://localhost:${new URL(server.url).port}`;
    lines.setPortal(portalUrl);
    const places: DemoPlaces = {
      portalUrl,
      opsUrl: server.opsUrl,
      invitationUrl: invitation && `${server.opsUrl}${invitation}`,
      switchboardUrl: `http://localhost:${switchboardPort}`,
      linePort: lines.ports[0],
      siteDir: site.dir,
    };
    return { places, replaced: usual.filter((each) => !free.includes(each)), leave: site.leave };
  } catch (error) {
    for (const close of closing.toReversed()) await close();
    throw error;
  }
}

function parseVisitors(value: string): number {
  if (/^\d{1,3}$/.test(value)) return Number(value);
  throw new UsageError(`--visitors must be a number from 0 to 999, got "${value}"`);
}
