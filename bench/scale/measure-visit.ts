import { setTimeout as wait } from 'node:timers/promises';
import { sendVisits } from '../../e2e/support/send-visits.ts';
import type { Claim } from '../claim.ts';
import { readProcessorMs } from '../read-processor.ts';
import { sendFor } from '../send-requests.ts';
import { startPortal } from '../start-servers.ts';

const VISITORS = 8;
const WARM_UP_MS = 10_000;
const MEASURED_MS = 20_000;
const CALL_SECONDS = 10;
const CALLERS = 5_000;

/** What a visit, and a hostname call alone, cost a portal alone with SQLite, with everything on. */
export async function measureVisit(): Promise<readonly Claim[]> {
  const portal = await startPortal();
  try {
    const visitors = sendVisits(`http://127.0.0.1:${portal.port}`, { visitors: VISITORS });
    await wait(WARM_UP_MS);
    const before = { ms: await readProcessorMs(portal.pid), visits: visitors.tally.visits };
    await wait(MEASURED_MS);
    const visitMs =
      ((await readProcessorMs(portal.pid)) - before.ms) / (visitors.tally.visits - before.visits);
    await visitors.stop();
    const load = { port: portal.port, requests: createRequests(), connections: 20 };
    await sendFor(load, CALL_SECONDS);
    const startMs = await readProcessorMs(portal.pid);
    const { answered } = await sendFor(load, CALL_SECONDS);
    const callUs = (((await readProcessorMs(portal.pid)) - startMs) * 1_000) / answered;
    return [
      {
        what: 'a visit of five calls, its report included',
        measured: `${visitMs.toFixed(2)} ms of processor time`,
      },
      { what: 'a hostname call', measured: `${callUs.toFixed(0)} µs of processor time` },
    ];
  } finally {
    await portal.close();
  }
}

function createRequests(): readonly Buffer[] {
  return Array.from({ length: CALLERS }, (_, caller) =>
    Buffer.from(
      `GET /api/hostnames HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 100.66.${caller >> 8}.${caller & 255}\r\n\r\n`,
    ),
  );
}
