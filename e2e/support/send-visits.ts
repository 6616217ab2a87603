import { Agent as HttpAgent, type RequestOptions, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { TICKET_HEADER } from '../../src/contract/api/headers.ts';
import {
  CALLER_PATH,
  HOSTNAMES_PATH,
  LANDING_PATH,
  LINKS_PATH,
  MEASUREMENTS_PATH,
} from '../../src/contract/paths.ts';

export type VisitTally = {
  /** Whole visits, each of five requests and its messages. */
  visits: number;
  /** Reports that were answered with 204. */
  accepted: number;
  /** Requests without the answer that they must have: which, and why. */
  readonly failures: string[];
  /** Of each visit, its requests together, in ms. */
  readonly durations: number[];
};

export type Visitors = {
  readonly tally: Readonly<VisitTally>;
  /** Lets the visits that are under way end. */
  readonly stop: () => Promise<void>;
};

export type VisitOptions = {
  /** The certificate that the portal shows; undefined for one that is asked over plain http. */
  readonly ca?: string;
  readonly visitors: number;
  /** Between the visits of each. */
  readonly pauseMs?: number;
  /** Each visitor begins a visit this often, one visitor after the other, however long the visits take. */
  readonly everyMs?: number;
  /** What the pages of a visit send besides, by the number of the visit, from 1. */
  readonly messages?: (visit: number) => readonly VisitMessage[];
};

export type VisitMessage = { readonly path: string; readonly body: string };

type Reply = { readonly status: number; readonly ticket: string };

/** Sends visits, as the page would make them, until it is told to stop: `visitors` at once, each again and again. */
export function sendVisits(
  url: string,
  { ca, visitors, pauseMs = 0, everyMs = 0, messages = () => [] }: VisitOptions,
): Visitors {
  const settings = { keepAlive: true, maxSockets: visitors };
  const agent = ca === undefined ? new HttpAgent(settings) : new HttpsAgent({ ...settings, ca });
  const tally: VisitTally = { visits: 0, accepted: 0, failures: [], durations: [] };
  const stopping = new AbortController();
  let started = 0;
  const visiting = Promise.all(
    Array.from({ length: visitors }, async (_, visitor) => {
      const firstAt = performance.now() + (visitor * everyMs) / visitors;
      for (let visit = 0; !stopping.signal.aborted; visit += 1) {
        const earlyMs = firstAt + visit * everyMs - performance.now();
        if (earlyMs > 0) await wait(earlyMs);
        started += 1;
        const startedAt = performance.now();
        await makeVisit(started);
        tally.durations.push(performance.now() - startedAt);
        tally.visits += 1;
        if (pauseMs > 0) await wait(pauseMs);
      }
    }),
  );
  return {
    tally,
    stop: async () => {
      stopping.abort();
      await visiting;
      agent.destroy();
    },
  };

  async function makeVisit(visit: number): Promise<void> {
    const address = addressOf(visit);
    for (const path of [LANDING_PATH, LINKS_PATH, CALLER_PATH]) await ask(address, path);
    const { ticket } = await ask(address, HOSTNAMES_PATH);
    const results = [{ index: 0, outcome: 'valid', time: 80 }];
    const report = JSON.stringify({ ticket, results, entered: 0 });
    const { status } = await ask(address, MEASUREMENTS_PATH, report);
    if (status === 204) tally.accepted += 1;
    for (const { path, body } of messages(visit)) await ask(address, path, body);
  }

  /** Asks the portal from this address: a POST if there is a body. Any status but the usual one is a failure. */
  async function ask(address: string, path: string, body?: string): Promise<Reply> {
    const [method, expected] = body === undefined ? ['GET', 200] : ['POST', 204];
    try {
      const reply = await send(
        new URL(path, url),
        { agent, method, headers: { 'X-Forwarded-For': address } },
        body,
      );
      if (reply.status !== expected) tally.failures.push(`${method} ${path}: ${reply.status}`);
      return reply;
    } catch (error) {
      tally.failures.push(`${method} ${path}: ${String(error)}`);
      return { status: 0, ticket: '' };
    }
  }
}

/** Each visit comes from a network of its own: there is a limit to the reports that one may send. */
function addressOf(visit: number): string {
  return `${11 + (visit >> 16)}.${(visit >> 8) & 255}.${visit & 255}.7`;
}

/** Resolves when the whole answer is there. */
function send(url: URL, options: RequestOptions, body?: string): Promise<Reply> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const ticket = String(response.headers[TICKET_HEADER.toLowerCase()] ?? '');
      response.on('error', reject);
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, ticket }));
    });
    sent.on('error', reject).end(body);
  });
}
