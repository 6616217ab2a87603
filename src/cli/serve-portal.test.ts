import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { tenthOf } from '../engine/testing/tenth-of.ts';
import { DEMO_SITE } from '../server/testing/site-files.ts';
import { spawnFunction } from '../server/testing/spawn-function.ts';

const RUN_PORTAL = new URL('./testing/run-portal.ts', import.meta.url);

let dir: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-process-'));
  await cp(DEMO_SITE, join(dir, 'site'), { recursive: true });
});

afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(dir, { recursive: true, force: true });
});

type Portal = {
  readonly process: ChildProcess;
  readonly url: string;
  readonly readMetric: (name: string) => Promise<number>;
  /** Tells it to stop. Resolves with how it ended. */
  readonly stop: () => Promise<unknown[]>;
};

async function start(outputs: Parameters<typeof spawnFunction>[3]): Promise<Portal> {
  const started = await spawnFunction(
    RUN_PORTAL,
    'runPortal',
    [join(dir, 'site'), join(dir, 'data')],
    outputs,
  );
  child = started;
  const [{ url, opsUrl }] = (await once(started, 'message')) as [{ url: string; opsUrl: string }];
  return {
    process: started,
    url,
    readMetric: async (name) => {
      const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
    },
    stop: () => {
      const exited = once(started, 'close');
      started.kill('SIGTERM');
      return exited;
    },
  };
}

describe('a log', () => {
  test('on a full disk stops neither the answers nor the end', async () => {
    const full = await open('/dev/full', 'w');
    onTestFinished(() => full.close());
    const portal = await start({ stdout: full.fd });
    expect(await visit(portal.url, { count: 2_000 })).toBe(2_000);
    expect(await portal.readMetric('waypost_log_lines_dropped_total')).toBeGreaterThan(1_000);
    expect(await portal.stop()).toEqual([0, null]);
  });

  test('that nobody reads stops neither the answers nor the end, and takes a bounded amount of memory', async () => {
    const portal = await start({ stderr: 'pipe' });
    const said = collect(portal.process.stderr);
    portal.process.stdout?.pause();
    // It holds a megabyte. Each line names the path, up to 200 characters of it.
    const visited = { count: tenthOf(80_000), path: `/${'x'.repeat(200)}`, status: 404 };
    expect(await visit(portal.url, visited)).toBe(visited.count);
    expect(await portal.readMetric('waypost_log_lines_dropped_total')).toBeGreaterThan(visited.count / 4);
    expect(await portal.stop()).toEqual([null, 'SIGKILL']);
    expect(said.join('')).toBe(
      'waypost: closed, but standard output takes no lines: the last log lines are lost\n',
    );
  });

  test('whose reader is gone stops neither the answers nor the end', async () => {
    const portal = await start({});
    portal.process.stdout?.destroy();
    expect(await visit(portal.url, { count: 2_000 })).toBe(2_000);
    expect(await portal.stop()).toEqual([0, null]);
  });
});

describe('told to stop', () => {
  test('while the disk hangs, it answers to the last, ends in time, and says what was still open', async () => {
    await mkdir(join(dir, 'data'));
    await promisify(execFile)('mkfifo', [join(dir, 'data/can-be-written.tmp')]);
    const portal = await start({ stderr: 'pipe' });
    const said = collect(portal.process.stderr);
    portal.process.stdout?.resume();
    expect(await visit(portal.url, { count: 200, path: '/api/hostnames' })).toBe(200);
    expect(await portal.stop()).toEqual([null, 'SIGKILL']);
    expect(said.join('')).toContain('Still open: ');
    expect(said.join('')).toContain('FSReq');
  });

  test('with a named pipe in its site folder, it serves the last good one and ends in time', async () => {
    const portal = await start({});
    portal.process.stdout?.resume();
    await promisify(execFile)('mkfifo', [join(dir, 'site/images/odd')]);
    await vi.waitFor(async () => expect(await portal.readMetric('waypost_site_refusals_total')).toBe(1));
    expect(await visit(portal.url, { count: 200 })).toBe(200);
    expect(await portal.stop()).toEqual([0, null]);
  });
});

test('a start at a database that cannot be opened fails, and names its file', async () => {
  await mkdir(join(dir, 'data'));
  await promisify(execFile)('mkfifo', [join(dir, 'data/waypost.db')]);
  const outputs = { stderr: 'pipe' } as const;
  child = await spawnFunction(RUN_PORTAL, 'runPortal', [join(dir, 'site'), join(dir, 'data')], outputs);
  const said = collect(child.stderr);
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(said.join('')).toContain('data/waypost.db: the disk has a fault');
});

type Visits = { readonly count: number; readonly path?: string; readonly status?: number };

/** Sends `count` requests, and resolves with the number that were answered with this status. */
async function visit(
  url: string,
  { count, path = '/json/link.json', status = 200 }: Visits,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  let [left, answered] = [count, 0];
  const sendOn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      if ((await request(url + path, agent)) === status) answered += 1;
    }
  };
  await Promise.all(Array.from({ length: 20 }, sendOn));
  agent.destroy();
  return answered;
}

function request(url: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { agent }, (response) =>
      response.resume().on('end', () => resolve(response.statusCode)),
    );
    sent.on('error', reject);
  });
}

function collect(stream: Readable | null): readonly string[] {
  const chunks: string[] = [];
  stream?.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  return chunks;
}
