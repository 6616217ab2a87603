import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import {
  type IntakeMessage,
  type Segment,
  type SessionRecord,
  intakeMessageSchema,
} from '../../src/contract/intake-message.ts';
import { listenOnLoopback } from './listen-on-loopback.ts';

export type Arrival = {
  readonly message: IntakeMessage;
  /** What was sent, decompressed. */
  readonly text: string;
  readonly isCompressed: boolean;
  /** True for what a page sent as it went away: such messages travel side by side. */
  readonly isBeacon: boolean;
};

/** A monitoring intake that records everything, and misbehaves when a test says so. */
export type Intake = {
  readonly url: string;
  /** What it took, in the order in which it came. */
  readonly arrivals: Arrival[];
  readonly segments: () => readonly Segment[];
  readonly records: () => readonly SessionRecord[];
  /** All requests, those that it did not take among them. */
  readonly requests: () => number;
  /** `hang`: it never answers. */
  readonly setFault: (fault: number | 'hang' | undefined) => void;
  /**
   * Makes it as it was at the start. It no longer notes messages of the sessions so far, or of `lastSession`: a browser may send
   * a beacon after its page was closed.
   */
  readonly reset: (lastSession?: string) => void;
  readonly close: () => void;
};

const GZIP_MAGIC = 0x1f_8b;

/** Starts an intake on a free port. A message that breaks the schema throws, which fails the test. */
export async function startIntake(): Promise<Intake> {
  const arrivals: Arrival[] = [];
  let fault: number | 'hang' | undefined;
  let requests = 0;
  let sessions = new Set<string>();
  let ended = new Set<string>();
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const arrival = readArrival(request, Buffer.concat(chunks));
    const { session } = arrival.message;
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (ended.has(session)) {
      response.writeHead(204).end();
      return;
    }
    requests += 1;
    sessions.add(session);
    if (fault === 'hang') return;
    if (fault === undefined) arrivals.push(arrival);
    response.writeHead(fault ?? 204).end();
  }

  const port = await listenOnLoopback(server);
  const pick = <Kind extends IntakeMessage['kind']>(kind: Kind) =>
    arrivals.flatMap(({ message }) => (message.kind === kind ? message : [])) as Extract<
      IntakeMessage,
      { kind: Kind }
    >[];
  return {
    url: `http://intake.localhost:${port}/v1`,
    arrivals,
    segments: () => pick('segment'),
    records: () => pick('session'),
    requests: () => requests,
    setFault: (next) => (fault = next),
    reset(lastSession = '') {
      ended = new Set([...ended, ...sessions, lastSession]);
      sessions = new Set();
      arrivals.length = 0;
      requests = 0;
      fault = undefined;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function readArrival({ headers }: IncomingMessage, body: Buffer): Arrival {
  const isCompressed = body.length > 1 && body.readUInt16BE() === GZIP_MAGIC;
  const text = (isCompressed ? gunzipSync(body) : body).toString();
  const message = v.parse(intakeMessageSchema, JSON.parse(text));
  // No page reads the answer to a beacon, so the browser sends it without CORS.
  return { message, text, isCompressed, isBeacon: headers['sec-fetch-mode'] === 'no-cors' };
}
