import type { CallerAddress } from '../src/contract/api/caller-address.ts';
import type { Bench, Claim } from './claim.ts';
import { compareRates } from './compare-rates.ts';
import { readMetric, readResidentMb } from './read-metric.ts';
import { readProcessorMs } from './read-processor.ts';
import { sendAtPace, sendFor } from './send-requests.ts';
import { recordAnswer, startBare, startNginx, startPortal } from './start-servers.ts';
import { median, quantile } from './statistics.ts';

const PATH = '/api/hostnames';
const CALLERS = 5_000;
/** Where callers were when they asked for their address, and where some of them call from later. */
const HOME_BLOCK = 64;
const OTHER_BLOCK = 65;
const MIN_RATIO = 0.4;
const PACE_PER_SECOND = 2_000;
const PACED_REQUESTS = 20_000;
const MEMORY_AFTER_REQUESTS = 200_000;
const MAX_RESIDENT_MB = 160;
/** One reading would be luck: memory grows until the garbage collector comes, which is every few seconds. */
const MEMORY_READINGS = 20;
/** Of each checkout, in turn. */
const BESIDE_RUNS = 7;
const CALLS_A_RUN = 20_000;
/** Compared with the checkout beside this one: half of its processor time is what was asked of this version beside a97172b. */
const MAX_PROCESSOR_RATIO = 0.5;

/**
 * The hostname call of the shipped portal, with signing, limits, log and metrics on, compared with servers that do nothing.
 */
export const hostnames: Bench = {
  title: `${PATH} of ${CALLERS.toLocaleString('en')} callers behind a trusted proxy, medians of 5 runs in turn`,
  async run({ beside }) {
    // Alone on the machine: the others would take processor time.
    const compared = beside === undefined ? [] : [await compareCheckouts(beside)];
    const portal = await startPortal();
    const origin = `http://127.0.0.1:${portal.port}`;
    const identities = await identifyCallers(origin);
    const requests = createRequests(identities, HOME_BLOCK);
    const fromElsewhere = createRequests(identities, OTHER_BLOCK);
    const ruled = await startPortal(addRules);
    const returning = createRequests(
      identities,
      HOME_BLOCK,
      await enterLine(`http://127.0.0.1:${ruled.port}`),
    );
    const answer = await recordAnswer(`${origin}${PATH}`, {});
    const [bare, hono, nginx] = await Promise.all([
      startBare('node-http', answer),
      startBare('hono', answer),
      startNginx(answer),
    ]);
    const rates = await compareRates(
      [
        { name: 'bare node:http, the same bytes', server: bare },
        { name: 'waypost', server: portal, minRatio: MIN_RATIO },
        {
          name: 'waypost, calls from another address than the one that was proven',
          server: portal,
          requests: fromElsewhere,
        },
        {
          name: 'waypost with rules on every line, for visitors who come back to sticky lines',
          server: ruled,
          requests: returning,
          minRatio: MIN_RATIO,
        },
        { name: 'bare Hono, the same bytes', server: hono },
        { name: 'nginx, the same bytes as a file', server: nginx },
      ],
      requests,
    );
    await Promise.all([bare, hono, nginx, ruled].map(({ close }) => close()));

    const load = { port: portal.port, requests, connections: 50 };
    const paced = await sendAtPace(load, PACE_PER_SECOND, PACED_REQUESTS);
    while (
      (await readMetric(portal.opsUrl, /requests_total\{route="\/api\/hostnames",status="200"\} (\d+)/)) <
      MEMORY_AFTER_REQUESTS
    ) {
      await sendFor(load, 1);
    }
    const memory: { readonly residentMb: number; readonly heapMb: number }[] = [];
    while (memory.length < MEMORY_READINGS) {
      await sendFor(load, 1);
      memory.push({
        residentMb: await readResidentMb(portal.opsUrl),
        heapMb: (await readMetric(portal.opsUrl, /nodejs_heap_size_used_bytes (\d+)/)) / 1e6,
      });
    }
    await portal.close();
    const resident = memory.map(({ residentMb }) => residentMb);
    const residentMb = median(resident);
    const leastHeapMb = Math.min(...memory.map(({ heapMb }) => heapMb));
    return [
      ...compared,
      ...rates,
      {
        what: `p99 at ${PACE_PER_SECOND.toLocaleString('en')} requests/s`,
        measured: `${quantile(paced.latencies, 0.99).toFixed(1)} ms (median ${quantile(paced.latencies, 0.5).toFixed(1)} ms)`,
      },
      {
        what: `resident memory after ${MEMORY_AFTER_REQUESTS.toLocaleString('en')} requests`,
        measured: `${residentMb.toFixed(0)} MB in the median of ${MEMORY_READINGS} readings (${Math.min(...resident).toFixed(0)} to ${Math.max(...resident).toFixed(0)}); after the garbage collector has come, ${leastHeapMb.toFixed(0)} MB are in use`,
        bound: { text: `≤ ${MAX_RESIDENT_MB} MB`, isMet: residentMb <= MAX_RESIDENT_MB },
      },
    ];
  },
};

/** What a call costs here and in another checkout, in processor time of the portal, in turn. */
async function compareCheckouts(beside: string): Promise<Claim> {
  const measured = await Promise.all(
    ['.', beside].map(async (root) => {
      const portal = await startPortal(undefined, { root });
      const requests = createRequests(await identifyCallers(`http://127.0.0.1:${portal.port}`), HOME_BLOCK);
      return { portal, load: { port: portal.port, requests, connections: 50 }, callUs: [] as number[] };
    }),
  );
  for (let run = 0; run <= BESIDE_RUNS; run += 1) {
    for (const { portal, load, callUs } of run % 2 === 0 ? measured : measured.toReversed()) {
      const before = await readProcessorMs(portal.pid);
      let answered = 0;
      while (answered < CALLS_A_RUN) answered += (await sendFor(load, 1)).answered;
      const us = (1_000 * ((await readProcessorMs(portal.pid)) - before)) / answered;
      // In the first run the code is compiled.
      if (run > 0) callUs.push(us);
    }
  }
  await Promise.all(measured.map(({ portal }) => portal.close()));
  const [here = Number.NaN, there = Number.NaN] = measured.map(({ callUs }) => median(callUs));
  const ratio = here / there;
  return {
    what: `processor time of a call, beside ${beside}, medians of ${BESIDE_RUNS} runs in turn`,
    measured: `${here.toFixed(0)} µs, there ${there.toFixed(0)} µs: ${ratio.toFixed(2)}`,
    bound: { text: `≤ ${MAX_PROCESSOR_RATIO}`, isMet: ratio <= MAX_PROCESSOR_RATIO },
  };
}

/** Gives every line rules that its callers pass, drains one line, and sets another to maintenance. */
function addRules({ hosts }: Parameters<NonNullable<Parameters<typeof startPortal>[0]>>[0]): object {
  return {
    sticky: true,
    hosts: hosts.map((entry, index) => ({
      ...(typeof entry === 'string' ? { host: entry } : entry),
      networks: { only: ['100.0.0.0/8', '2001:db8::/32'], not: [`100.${index}.0.0/16`, '203.0.113.0/24'] },
      ...(index === 1 && { drain: true }),
      ...(index === 2 && { maintenance: [{ from: '2026-01-01T00:00Z', reason: 'new disks' }] }),
    })),
  };
}

/** Enters a line as a visitor does. Returns the cookie that names it. */
async function enterLine(origin: string): Promise<string> {
  const headers = { 'X-Forwarded-For': addressOf(HOME_BLOCK, 0) };
  const answer = await fetch(`${origin}${PATH}`, { headers });
  const report = { ticket: answer.headers.get('Waypost-Ticket'), results: [], entered: 0 };
  const { headers: sent } = await fetch(`${origin}/api/measurements`, {
    method: 'POST',
    headers,
    body: JSON.stringify(report),
  });
  return sent.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** What the server tells each caller of its own address, with the proof of it. */
async function identifyCallers(origin: string): Promise<readonly CallerAddress[]> {
  const identities: CallerAddress[] = [];
  for (let caller = 0; caller < CALLERS; caller += 1) {
    const headers = { 'X-Forwarded-For': addressOf(HOME_BLOCK, caller) };
    const answer = await fetch(`${origin}/api/get_ip`, { headers });
    identities.push((await answer.json()) as CallerAddress); // As our own server sends it.
  }
  return identities;
}

/** Each caller asks as a page does, with its address and the server's proof of it, from an address of this block. */
function createRequests(
  identities: readonly CallerAddress[],
  block: number,
  cookie?: string,
): readonly Buffer[] {
  return identities.map(({ get_ip, key_id }, caller) => {
    const request = [
      `GET ${PATH} HTTP/1.1`,
      'Host: localhost',
      `X-Forwarded-For: ${addressOf(block, caller)}`,
      `RealUserAddr: ${get_ip}`,
      `RealUserID: ${key_id}`,
      'Accept: */*',
      'Accept-Encoding: gzip, deflate, br',
      ...(cookie === undefined ? [] : [`Cookie: ${cookie}`]),
    ];
    return Buffer.from(`${request.join('\r\n')}\r\n\r\n`);
  });
}

function addressOf(block: number, caller: number): string {
  return `100.${block}.${caller >> 8}.${caller & 255}`;
}
