import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { drawFreePorts } from '../../../src/line/find-free-ports.ts';
import { waitUntilListening } from '../../support/wait-until-listening.ts';

/** A running WebKitWebDriver. */
export type Driver = {
  readonly url: string;
  /** Ends the driver, its browser and their screen, whatever state they are in. */
  readonly close: () => Promise<void>;
};

const SETPRIV = '/usr/bin/setpriv';
const XVFB = '/usr/bin/Xvfb';
const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';
const DISPLAY_TIMEOUT_MS = 20_000;

/** The browser's toolbar does not fit into the width of a phone. With this style it is one pixel high. */
const TINY_TOOLBAR =
  '* { font-size: 1px; min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 0; }';

/** Starts WebKitGTK's driver on a screen of its own, which nobody sees. */
export async function startDriver(): Promise<Driver> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-webkit-'));
  await mkdir(join(dir, 'gtk-3.0'));
  await writeFile(join(dir, 'gtk-3.0', 'gtk.css'), TINY_TOOLBAR);
  const xvfb = spawnGroup(XVFB, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const programs = [xvfb];
  const close = async (): Promise<void> => {
    await Promise.all(programs.toReversed().map(endGroup));
    await rm(dir, { recursive: true, force: true });
  };
  try {
    const display = await readDisplay(xvfb);
    const [port = 0] = await drawFreePorts(1);
    const driver = spawnGroup(WEBKIT_DRIVER, [`--port=${port}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        DISPLAY: `:${display}`,
        // In this locale, WebKit says that its user reads English.
        LC_ALL: 'C',
        HOME: dir,
        XDG_CONFIG_HOME: dir,
        XDG_RUNTIME_DIR: dir,
        // A browser that finds another one on the bus hands its work over to it.
        DBUS_SESSION_BUS_ADDRESS: 'disabled:',
        // There is no graphics card here. Drawing without its buffers takes half the time.
        WEBKIT_DISABLE_DMABUF_RENDERER: '1',
      },
    });
    programs.push(driver);
    await waitUntilListening(driver, [port]);
    return { url: `http://127.0.0.1:${port}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Starts a program in a process group of its own. The kernel ends it with us, even if we are killed; a browser without its
 * screen ends by itself.
 */
function spawnGroup(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  return spawn(SETPRIV, ['--pdeathsig', 'KILL', program, ...args], { ...options, detached: true });
}

/** Xvfb draws a free display number, and writes it to the descriptor that it was given. */
async function readDisplay(xvfb: ChildProcess): Promise<string> {
  // The fourth of its descriptors is a pipe, see above.
  const output = xvfb.stdio[3] as Readable;
  const signal = AbortSignal.timeout(DISPLAY_TIMEOUT_MS);
  const [written] = (await Promise.race([
    once(output.setEncoding('utf8'), 'data', { signal }),
    once(xvfb, 'exit', { signal }).then(() => Promise.reject(new Error(`${XVFB} did not start`))),
  ])) as [string];
  return written.trim();
}

/** Ends a program and all that it started. */
async function endGroup(program: ChildProcess): Promise<void> {
  if (program.pid === undefined) return;
  const isRunning = program.exitCode === null && program.signalCode === null;
  const ended = isRunning ? once(program, 'exit') : undefined;
  try {
    process.kill(-program.pid, 'SIGKILL');
  } catch {
    // The whole group has ended already.
  }
  await ended;
}
