import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Segment } from '../../src/contract/intake-message.ts';
import { INTAKE_PATH } from '../../src/contract/paths.ts';
import type { Claim } from '../claim.ts';
import { readMetric, readResidentMb } from '../read-metric.ts';
import { sendAtPace } from '../send-requests.ts';
import { startPortal } from '../start-servers.ts';

const PER_SECOND = 200;
const MINUTE_SECONDS = 60;
const IDLE_SECONDS = 20;
/** What was taken is in the database by then. */
const WRITE_SECONDS = 2;
/** The portal starts, and its code gets warm. */
const REST_SECONDS = 5;
/** Of a segment, before it is packed: about as much as a page sends. */
const SEGMENT_BYTES = 20_000;
const CONNECTIONS = 20;
/** A page sends a segment every 30 s. */
const SESSIONS = 30 * PER_SECOND;
const MAX_MORE_MS = 5;
const MAX_RESIDENT_MB = 180;
/** Everything that a portal can do is on. */
const SITE = {
  monitoring: { intakeUrl: 'self', sessionPercent: 100, replayPercent: 100 },
  analytics: { counts: 'self' },
};
const ENV = { WAYPOST_EDIT: 'on', PREVIEW_PORT: '0' };

/** A portal that takes 200 segments of replays a second: are all kept, and does its loop stay free? */
export async function measureSegments(
  { name, url }: { readonly name: string; readonly url: string | undefined },
  minutes: number,
): Promise<readonly Claim[]> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-bench-loop-'));
  const delays = join(dir, 'delays');
  await writeFile(delays, '');
  const portal = await startPortal(undefined, {
    site: SITE,
    env: {
      NODE_OPTIONS: `--import=${fileURLToPath(new URL('watch-loop.mjs', import.meta.url))}`,
      WAYPOST_BENCH_LOOP: delays,
      ...ENV,
      ...(url === undefined ? {} : { WAYPOST_DATABASE_URL: url }),
    },
  });
  try {
    await wait(REST_SECONDS * 1_000);
    await readDelay(portal.pid, delays);
    await wait(IDLE_SECONDS * 1_000);
    const idleMs = await readDelay(portal.pid, delays);
    const sessions = Array.from({ length: SESSIONS }, () => randomBytes(16).toString('hex'));
    const sent = minutes * MINUTE_SECONDS * PER_SECOND;
    let answered = 0;
    // A minute at a time: all of them together would fill the memory.
    for (let minute = 0; minute < minutes; minute += 1) {
      const requests = Array.from({ length: PER_SECOND * MINUTE_SECONDS }, (_, index) => {
        const count = minute * MINUTE_SECONDS * PER_SECOND + index;
        return writeSegment(sessions[count % SESSIONS] ?? '', 1 + Math.floor(count / SESSIONS));
      });
      const load = { port: portal.port, requests, connections: CONNECTIONS };
      answered += (await sendAtPace(load, PER_SECOND, requests.length)).answered;
    }
    const busyMs = await readDelay(portal.pid, delays);
    const taken = await readMetric(portal.opsUrl, /intake_messages_total\{verdict="taken"\} (\d+)/);
    await wait(WRITE_SECONDS * 1_000);
    const stored = await countSegments(join(dirname(portal.siteDir), 'data'), url);
    const residentMb = await readResidentMb(portal.opsUrl);
    return [
      {
        what: `${name}: segments taken, and in the database ${WRITE_SECONDS} s later, of ${sent.toLocaleString('en')} in ${minutes} min`,
        measured: `${taken.toLocaleString('en')}; ${stored.toLocaleString('en')}`,
        bound: { text: 'all', isMet: [answered, taken, stored].every((count) => count === sent) },
      },
      {
        what: `${name}: delay of the loop meanwhile, 99.9th percentile; of the idle portal`,
        measured: `${busyMs.toFixed(1)} ms; ${idleMs.toFixed(1)} ms`,
        bound: { text: `≤ ${MAX_MORE_MS} ms more`, isMet: busyMs - idleMs <= MAX_MORE_MS },
      },
      {
        what: `${name}: resident memory after ${minutes} min of it`,
        measured: `${residentMb.toFixed(0)} MB`,
        bound: { text: `≤ ${MAX_RESIDENT_MB} MB`, isMet: residentMb <= MAX_RESIDENT_MB },
      },
    ];
  } finally {
    await portal.close();
    await rm(dir, { recursive: true, force: true });
  }
}

async function countSegments(dataDir: string, url: string | undefined): Promise<number> {
  const program = fileURLToPath(new URL('count-segments.mjs', import.meta.url));
  const args = [program, dataDir, ...(url === undefined ? [] : [url])];
  return Number((await promisify(execFile)(process.execPath, args)).stdout);
}

/** The delay of the loop since the last time that it was asked for. */
async function readDelay(pid: number, file: string): Promise<number> {
  const before = await readLines(file);
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    const lines = await readLines(file);
    if (lines.length > before.length) return Number(lines.at(-1));
    await wait(50);
  }
}

async function readLines(file: string): Promise<readonly string[]> {
  return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
}

/** Each session has an address of its own, so that no limit is met. */
function writeSegment(session: string, number: number): Buffer {
  const segment: Segment = {
    kind: 'segment',
    session,
    view: session,
    number,
    events: [
      { type: 3, timestamp: Date.now(), data: { text: randomBytes(SEGMENT_BYTES / 2).toString('hex') } },
    ],
  };
  const body = gzipSync(JSON.stringify(segment));
  const head = [
    `POST ${INTAKE_PATH} HTTP/1.1`,
    'Host: localhost',
    `X-Forwarded-For: 100.64.${Number.parseInt(session.slice(0, 2), 16)}.${Number.parseInt(session.slice(2, 4), 16)}`,
    'User-Agent: Mozilla/5.0 Chrome/131.0.0.0 Safari/537.36',
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}
