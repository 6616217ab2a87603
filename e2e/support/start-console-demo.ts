import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, expect } from '@playwright/test';
import type { ConsoleOverview } from '../../src/contract/console.ts';
import { CONSOLE_PATHS } from '../../src/contract/paths.ts';
import { drawFreePorts } from '../../src/line/find-free-ports.ts';
import { fillUptime, fillVisits, makeSessions } from './fill-console.ts';
import { TROUBLES, fillDay } from './fill-day.ts';
import { makeSiteFolder } from './make-site-folder.ts';
import { addPeople, signIn } from './sign-in-people.ts';

export type ConsoleDemo = {
  readonly landing: string;
  readonly console: string;
  /** Fills the console: recordings of three visitors, and what the server's own probes see. Returns the cookie of an owner. */
  readonly fill: (browser: Browser) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Together, they visit about a hundred times a minute. */
const VISITORS = 6;
const OPERATOR = 'li.wei';

/** Starts a demo with simulated visitors, a day of measurements, two weeks of counts, and two months of history. It counts and records, too. */
export async function startConsoleDemo(): Promise<ConsoleDemo> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-pictures-'));
  const site = await makeSiteFolder({
    site: {
      lines: { ports: await drawFreePorts(5) },
      analytics: { counts: 'self' },
      monitoring: { intakeUrl: 'self', replayPercent: 100 },
    },
  });
  await addPeople({ dataDir }, { [OPERATOR]: 'owner' });
  await fillVisits(dataDir, Date.now());
  await fillUptime(dataDir, Date.now(), TROUBLES);
  await fillDay({ dataDir, siteDir: site.dir });
  const folders = ['--site', site.dir, '--data', dataDir];
  const args = ['demo', '--visitors', String(VISITORS), '--port', '0', '--ops-port', '0', ...folders];
  const demo = spawn('node', ['dist/cli/main.js', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const close = async (): Promise<void> => {
    demo.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
    await site.remove();
  };
  try {
    const places = await readPlaces(demo);
    return {
      ...places,
      fill: async (browser) => {
        await makeSessions(browser, places.landing);
        const session = await signIn(places.console, OPERATOR);
        if (session === undefined) throw new Error('the console refused the sign-in');
        await waitForProbes(places.console, session);
        return session;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Reads where the demo says that its parts are. */
async function readPlaces(
  demo: ChildProcess,
): Promise<{ readonly landing: string; readonly console: string }> {
  let output = '';
  for await (const chunk of demo.stdout ?? []) {
    output += String(chunk);
    if (output.includes('Ctrl-C')) break;
  }
  const [, landing] = /Landing page +(\S+)/.exec(output) ?? [];
  const [, console] = /Console +(\S+)/.exec(output) ?? [];
  if (landing === undefined || console === undefined) throw new Error(`the demo did not start: ${output}`);
  return { landing, console };
}

/** One of the lines sends a wrong marker. */
async function waitForProbes(consoleUrl: string, session: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const response = await fetch(new URL(CONSOLE_PATHS.overview, consoleUrl), {
          headers: { Cookie: session },
        });
        const { lines } = (await response.json()) as ConsoleOverview;
        return lines.down;
      },
      { timeout: 600_000, intervals: [2_000] },
    )
    .toBeGreaterThan(0);
}
