import { setTimeout as wait } from 'node:timers/promises';
import type { Segment } from '../src/contract/intake-message.ts';
import { HOSTNAMES_PATH, INTAKE_PATH, RECORDING_PATHS } from '../src/contract/paths.ts';
import type { SessionList, SessionSummary } from '../src/contract/recordings.ts';
import type { Bench, Claim } from './claim.ts';
import { compareRates } from './compare-rates.ts';
import { fillStore } from './intake/fill-store.ts';
import { type Message, divideEvents, makeSession } from './intake/make-messages.ts';
import { openReplays } from './intake/open-replays.ts';
import { recordVisit } from './intake/record-visit.ts';
import { readMetric, readResidentMb } from './read-metric.ts';
import { sendAtPace } from './send-requests.ts';
import { recordAnswer, startBare, startPortal } from './start-servers.ts';
import { median, quantile } from './statistics.ts';

const SITE = { monitoring: { intakeUrl: 'self', sessionPercent: 100, replayPercent: 100 } };
const CALLERS = 5_000;
const ACTIVE = 200;
const SESSIONS = 1_000;
/** A page sends a record at most every 5 s, and a segment every 30 s. */
const MESSAGES_PER_SECOND = ACTIVE * (1 / 5 + 1 / 30);
const MIN_RATIO = 0.4;
const MAX_RESIDENT_MB = 250;
const MAX_SESSION_KB = 150;
const STORE = { sessions: 5_000, bytes: 100_000 };
const MAX_LIST_MS = 500;
const MAX_FRAME_MS = 1_000;
const MAX_REBUILD_S = 60;
const LOOKS = 20;
const WATCHED = 10;

/** The portal as its own intake: what it costs visitors, what it loses, and how fast the console finds things again. */
export const intake: Bench = {
  title: `the own intake: ${SESSIONS.toLocaleString('en')} sessions, ${ACTIVE} at a time, then a store of ${STORE.sessions.toLocaleString('en')} sessions of ${STORE.bytes / 1_000} KB`,
  async run() {
    const { claims, events } = await measureIntake();
    return [...claims, ...(await measureStore(events))];
  },
};

type Segments = readonly Segment['events'][];

async function measureIntake(): Promise<{ claims: readonly Claim[]; events: Segment['events'] }> {
  const portal = await startPortal(undefined, { site: SITE });
  const origin = `http://127.0.0.1:${portal.port}`;
  const visit = await recordVisit(origin, portal.opsUrl);
  const segments = divideEvents(visit.events);
  const idle = await startPortal(undefined, { site: SITE });
  const bare = await startBare('node-http', await recordAnswer(`${origin}${HOSTNAMES_PATH}`, {}));
  const before = await readMetric(portal.opsUrl, /intake_messages_total\{verdict="taken"\} (\d+)/);
  let isMeasured = false;
  const sending = sendSessions(portal.port, segments, () => isMeasured);
  const rates = await compareRates(
    [
      { name: 'hostname calls meanwhile: bare node:http', server: bare },
      { name: 'hostname calls meanwhile: waypost', server: portal, minRatio: MIN_RATIO },
      { name: 'hostname calls meanwhile: another waypost, which takes no messages', server: idle },
    ],
    Array.from({ length: CALLERS }, (_, caller) => writeCall(caller)),
  );
  isMeasured = true;
  const sent = await sending;
  const taken = (await readMetric(portal.opsUrl, /intake_messages_total\{verdict="taken"\} (\d+)/)) - before;
  const residentMb = await readResidentMb(portal.opsUrl);
  const kept = await countKept(portal.opsUrl, sent.ids);
  await Promise.all([portal, idle, bare].map(({ close }) => close()));
  const keptKb = visit.bytes / 1_000;
  return {
    events: visit.events,
    claims: [
      {
        what: 'a visit of 50 s in Chromium, with three retests and all tabs: on the disk',
        measured: `${keptKb.toFixed(0)} KB`,
        bound: { text: `≤ ${MAX_SESSION_KB} KB`, isMet: keptKb <= MAX_SESSION_KB },
      },
      ...rates,
      {
        what: `messages that were answered with 204, of ${sent.messages.toLocaleString('en')} in ${sent.ids.size.toLocaleString('en')} sessions`,
        measured: taken.toLocaleString('en'),
        bound: { text: 'all', isMet: taken === sent.messages },
      },
      {
        what: 'segments that the console then finds',
        measured: kept.toLocaleString('en'),
        bound: { text: 'all', isMet: kept === sent.messages / 2 },
      },
      {
        what: 'resident memory of the portal',
        measured: `${residentMb.toFixed(0)} MB`,
        bound: { text: `≤ ${MAX_RESIDENT_MB} MB`, isMet: residentMb <= MAX_RESIDENT_MB },
      },
    ],
  };
}

/** Sends sessions, 200 at a time, each from its own address, until enough are sent and `isDone`. */
async function sendSessions(
  port: number,
  segments: Segments,
  isDone: () => boolean,
): Promise<{ readonly messages: number; readonly ids: ReadonlySet<string> }> {
  const ids = new Set<string>();
  let messages = 0;
  while (ids.size < SESSIONS || !isDone()) {
    const wave: (readonly Message[])[] = [];
    for (let active = 0; active < ACTIVE; active += 1) wave.push(await makeSession(segments, Date.now()));
    const requests = (wave[0] ?? []).flatMap((_, place) =>
      wave.flatMap((session) => {
        const message = session[place];
        if (message === undefined) return [];
        ids.add(message.session);
        return [writeRequest(message)];
      }),
    );
    const { failed } = await sendAtPace(
      { port, requests, connections: 50 },
      MESSAGES_PER_SECOND,
      requests.length,
    );
    if (failed > 0) throw new Error(`${failed} messages were refused`);
    messages += requests.length;
  }
  return { messages, ids };
}

/** Each from its own address, so that no limit is met. */
function writeCall(caller: number): Buffer {
  const address = `100.64.${caller >> 8}.${caller & 255}`;
  return Buffer.from(
    `GET ${HOSTNAMES_PATH} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n\r\n`,
  );
}

function writeRequest({ session, body }: Message): Buffer {
  const [a, b] = [Number.parseInt(session.slice(0, 2), 16), Number.parseInt(session.slice(2, 4), 16)];
  const head = [
    `POST ${INTAKE_PATH} HTTP/1.1`,
    'Host: localhost',
    `X-Forwarded-For: 100.65.${a}.${b}`,
    'User-Agent: Mozilla/5.0 Chrome/131.0.0.0 Safari/537.36',
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

async function countKept(opsUrl: string, ids: ReadonlySet<string>): Promise<number> {
  let kept = 0;
  for (const id of ids) {
    const answer = await fetch(`${opsUrl}${RECORDING_PATHS.sessions}/${id}`);
    const { views } = (await answer.json()) as SessionSummary; // As our own server sends it.
    kept += views[0]?.segments.kept ?? 0;
  }
  return kept;
}

async function measureStore(events: Segment['events']): Promise<readonly Claim[]> {
  let startedAt = 0;
  const portal = await startPortal(undefined, {
    site: SITE,
    fillData: async (dataDir) => {
      await fillStore(dataDir, { ...STORE, events });
      startedAt = performance.now();
    },
  });
  const { opsUrl } = portal;
  let list = await readList(opsUrl);
  while (list.kept.sessions < STORE.sessions) {
    await wait(100);
    list = await readList(opsUrl);
  }
  const rebuiltS = (performance.now() - startedAt) / 1_000;
  const filters = ['', '?error=true&device=mobile', '?line=line1.example', '?country=XX'];
  const listMs = await timeEach(filters, (filter) => `${opsUrl}${RECORDING_PATHS.sessions}${filter}`);
  const { sessions } = list;
  const segmentsMs = await timeEach(
    sessions.slice(0, LOOKS),
    ({ id, views }) => `${opsUrl}${RECORDING_PATHS.segments}/${id}/${views[0]?.id}`,
  );
  const watched = sessions.slice(0, WATCHED).map(({ id }) => id);
  const drawn = await openReplays(opsUrl, watched);
  const residentMb = await readResidentMb(opsUrl);
  await portal.close();
  return [
    {
      what: `from the start of the portal until all of a store of ${(list.kept.bytes / 1e6).toFixed(0)} MB is listed`,
      measured: `${rebuiltS.toFixed(1)} s`,
      bound: { text: `≤ ${MAX_REBUILD_S} s`, isMet: rebuiltS <= MAX_REBUILD_S },
    },
    claimTimes('the list of it, with and without filters', listMs, MAX_LIST_MS),
    claimTimes('the list of it, in Chromium, from the menu until it is drawn', drawn.listMs, MAX_LIST_MS),
    claimTimes('all events of a view of it', segmentsMs, MAX_FRAME_MS),
    claimTimes(
      'a replay of it, in Chromium, from the click until its first frame is drawn',
      drawn.frameMs,
      MAX_FRAME_MS,
    ),
    { what: 'resident memory of that portal', measured: `${residentMb.toFixed(0)} MB` },
  ];
}

function claimTimes(what: string, times: readonly number[], maxMs: number): Claim {
  const [middle, most] = [median(times), quantile(times, 0.95)];
  return {
    what,
    measured: `median ${middle.toFixed(0)} ms, p95 ${most.toFixed(0)} ms`,
    bound: { text: `p95 ≤ ${maxMs} ms`, isMet: most <= maxMs },
  };
}

async function readList(opsUrl: string): Promise<SessionList> {
  return (await (await fetch(`${opsUrl}${RECORDING_PATHS.sessions}`)).json()) as SessionList;
}

/** Asks each of these, and again until there are enough. */
async function timeEach<T>(items: readonly T[], urlOf: (item: T) => string): Promise<readonly number[]> {
  const times: number[] = [];
  while (times.length < LOOKS) {
    for (const item of items) {
      const startedAt = performance.now();
      await (await fetch(urlOf(item))).arrayBuffer();
      times.push(performance.now() - startedAt);
    }
  }
  return times;
}
