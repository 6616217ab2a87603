import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { REQUEST_KEY_HEADER } from '../../contract/api/headers.ts';
import type { DeskState, DeskVersion } from '../../contract/desk/desk.ts';
import { DESK_PATHS, INTAKE_PATH, PEOPLE_PATHS, RECORDING_PATHS } from '../../contract/paths.ts';
import type { Role } from '../../contract/roles.ts';
import { createRecord, createSegment, idOf } from './intake-messages.ts';

/** One life of a portal. */
export type LivePortal = {
  readonly name: string;
  readonly url: string;
  readonly opsUrl: string;
  readonly process: ChildProcess;
};

export type Job = 'publish' | 'change people' | 'tell' | 'record';

/** What clients work on, until they are told to stop. */
export type Work = {
  /** One of the portals. It may have been killed just now. */
  readonly drawPortal: () => LivePortal;
  readonly onBegin: (job: Job) => void;
  readonly isOver: () => boolean;
};

export const TOKEN = 'a-token-for-this-test';
const VIEW = idOf(2);
const SEGMENTS_OF_SESSION = 50;
const PAUSE_MS = 20;
/** A portal answers every call of the database within 5 s, and some requests make several. */
const ANSWER_LIMIT_MS = 60_000;
const HEADERS = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };

type Change = {
  readonly path: string;
  readonly body: object;
  /** Makes it safe to send the change again. */
  readonly key?: string;
  /** The status that says that the change was made before. It is an error if no earlier try can have made it. */
  readonly doneStatus?: number | undefined;
};

/** Publishes one version after the other. Resolves with why each was made, by the numbers that the portals answered with. */
export async function publishVersions(work: Work): Promise<ReadonlyMap<number, string>> {
  const published = new Map<number, string>();
  for (let count = 1; !work.isOver(); count += 1) {
    const value = `#${count.toString(16).padStart(6, '0')}`;
    work.onBegin('publish');
    await insist(work, {
      path: DESK_PATHS.edit,
      body: { file: 'site.json', edits: [{ path: ['theme', 'accent'], value }] },
    });
    const { current } = await look<DeskState & { isOn: true }>(work, DESK_PATHS.state);
    work.onBegin('publish');
    const version = await insist<DeskVersion>(work, {
      path: DESK_PATHS.publish,
      body: { why: value, basedOn: current.number },
      key: `publish-${count}`,
    });
    published.set(version?.number ?? 0, value);
  }
  return published;
}

/** Invites people, changes their roles, and removes every second one. Resolves with all who must be left. */
export async function changePeople(work: Work): Promise<ReadonlyMap<string, Role>> {
  const people = new Map<string, Role>();
  for (let count = 1; !work.isOver(); count += 1) {
    const name = `person-${count}`;
    const change = async (path: string, role?: Role, doneStatus?: number): Promise<void> => {
      work.onBegin('change people');
      await insist(work, { path, body: { name, role }, doneStatus });
    };
    await change(PEOPLE_PATHS.invite, 'viewer', 409);
    await change(PEOPLE_PATHS.role, 'editor');
    if (count % 2 === 0) await change(PEOPLE_PATHS.remove, undefined, 404);
    else people.set(name, 'editor');
  }
  return people;
}

/**
 * Sends segments of replays. Resolves with the numbers of those that must be there: a replay has shown them, or the portal that took
 * them was never killed. A portal that is killed may lose what came in its last second.
 */
export async function recordSegments(work: Work): Promise<ReadonlySet<number>> {
  const shown = new Set<number>();
  const taken = new Map<number, LivePortal>();
  for (let number = 1; !work.isOver(); number += 1) {
    const portal = work.drawPortal();
    const session = sessionOf(number);
    const place = { session, view: VIEW };
    work.onBegin('record');
    const isTaken =
      (await send(portal, createRecord({ ...place, revision: number }))) &&
      (await send(portal, createSegment({ ...place, number, events: [{ type: 3, timestamp: number }] })));
    if (isTaken) taken.set(number, portal);
    if (number % 10 === 0)
      for (const seen of await readReplay(portal, session).catch(() => [])) shown.add(seen);
    await wait(PAUSE_MS);
  }
  const isSure = ([number, { process }]: [number, LivePortal]): boolean =>
    shown.has(number) || !process.killed;
  return new Set([...taken].filter(isSure).map(([number]) => number));
}

export function sessionOf(number: number): string {
  return idOf(1_000 + Math.floor(number / SEGMENTS_OF_SESSION));
}

/** The numbers of the segments that a replay plays, in its order. */
export async function readReplay(portal: LivePortal, session: string): Promise<readonly number[]> {
  const { events } = await ask<{ events: { timestamp: number }[] }>(
    portal,
    `${RECORDING_PATHS.segments}/${session}/${VIEW}`,
  );
  return events.map(({ timestamp }) => timestamp);
}

export async function ask<T>({ opsUrl }: LivePortal, path: string): Promise<T> {
  const answer = await fetch(`${opsUrl}${path}`, {
    headers: HEADERS,
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T; // As our own server sends it.
}

async function send({ url }: LivePortal, message: object): Promise<boolean> {
  const options = { method: 'POST', body: JSON.stringify(message) };
  const answer = await fetch(`${url}${INTAKE_PATH}`, options).catch(() => undefined);
  return answer?.status === 204;
}

/** Asks until some portal answers. */
async function look<T>(work: Work, path: string): Promise<T> {
  for (;;) {
    const answer = await ask<T>(work.drawPortal(), path).catch(() => undefined);
    if (answer !== undefined) return answer;
    await wait(PAUSE_MS);
  }
}

/** Sends a change until a portal says that it was made. Undefined if an earlier try has made it, whose answer was lost. */
async function insist<T>(work: Work, { path, body, key, doneStatus }: Change): Promise<T | undefined> {
  let mayBeMade = false;
  for (;;) {
    const headers = { ...HEADERS, ...(key === undefined ? {} : { [REQUEST_KEY_HEADER]: key }) };
    const answer = await fetch(`${work.drawPortal().opsUrl}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined);
    if (answer?.status === 200) return JSON.parse(answer.text) as T; // As our own server sends it.
    if (mayBeMade && answer !== undefined && answer.status === doneStatus) return undefined;
    if (answer !== undefined && !/"code":"(?:store-|desk-busy)/.test(answer.text))
      throw new Error(`${path} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`);
    // A portal that says that the database is away promises that nothing was changed.
    mayBeMade ||= answer === undefined || answer.text.includes('store-uncertain');
    await wait(PAUSE_MS);
  }
}
