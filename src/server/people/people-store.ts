import type { Stats } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { nameSchema } from '../../contract/people.ts';
import { ROLES } from '../../contract/roles.ts';
import { HttpError } from '../http/errors.ts';
import { readCode } from '../process/read-code.ts';
import { readDataFile } from '../process/read-data-file.ts';
import { UnsyncedError, replaceFile } from '../process/replace-file.ts';
import { takeTurns } from '../process/take-turns.ts';
import { DISK_LIMIT_MS, DeadlineError, withDeadline } from '../process/with-deadline.ts';

/** The accounts and tokens of a portal. Everything that could be used to sign in is a hash, except the key of the codes. */
export type People = v.InferOutput<typeof peopleSchema>;
export type Person = v.InferOutput<typeof personSchema>;
export type ApiToken = v.InferOutput<typeof tokenSchema>;

/** Where people are kept. Whoever changes them gets the newest state, also if another process has just changed it. */
export type PeopleStore = {
  /** The people as this process knows them. */
  readonly read: () => People;
  /** Changes people, one change after the other. If the change throws, nothing is written. */
  readonly update: <T>(change: (people: People) => Change<T>, options?: UpdateOptions) => Promise<T>;
  /** Takes over what another process has changed, such as `waypost operator`. To be repeated about once a second. */
  readonly refresh: () => Promise<void>;
};

export type UpdateOptions = {
  /** True for what signing in leaves behind: while Redis is away, the other replicas learn of it later. */
  readonly canWait?: boolean;
};

export type Change<T> = { readonly next: People; readonly result: T };

/**
 * How far a change has come. One that was refused before it was written is not made any more: whoever asked for it may have
 * asked again. A write cannot be stopped.
 */
type Attempt = { phase: 'waiting' | 'refused' | 'writing' | 'written' };

/** The file of the people cannot be used. */
class PeopleError extends Error {
  override readonly name = 'PeopleError';
  readonly code = 'people';
}

const role = v.picklist(ROLES);
const personSchema = v.strictObject({
  name: nameSchema,
  role,
  createdAt: v.number(),
  /** Grows with each change that must end the person's sessions. */
  epoch: v.number(),
  /** Absent until the invitation was used. */
  signIn: v.optional(
    v.strictObject({
      passwordHash: v.string(),
      /** The key of the authenticator app, in base32. */
      secret: v.string(),
      /** The time step of the last code that was used: it and all earlier ones are worth nothing now. */
      lastStep: v.number(),
      /** Hashes. A code that was used is removed. */
      recoveryCodes: v.array(v.string()),
      /** Address ranges from which the person has signed in, newest first. */
      prefixes: v.array(v.string()),
    }),
  ),
  invitation: v.optional(v.strictObject({ hash: v.string(), secret: v.string(), endsAt: v.number() })),
});
const tokenSchema = v.strictObject({
  id: v.string(),
  name: nameSchema,
  role,
  hash: v.string(),
  madeBy: v.string(),
  createdAt: v.number(),
  endsAt: v.number(),
});
export const peopleSchema = v.strictObject({
  version: v.literal(1),
  people: v.array(personSchema),
  tokens: v.array(tokenSchema),
});

const FILE = 'people.json';
export const NOBODY: People = { version: 1, people: [], tokens: [] };
/** A change takes some ms. A lock that is older was left behind by a process that was killed. */
const STALE_LOCK_MS = 10_000;
const LOCK_PATIENCE_MS = 15_000;
const LOCK_PAUSE_MS = 20;

/** Opens the people of a data folder. */
export async function openPeopleStore(
  dataDir: string,
  { diskLimitMs = DISK_LIMIT_MS }: { readonly diskLimitMs?: number } = {},
): Promise<PeopleStore> {
  const path = join(dataDir, FILE);
  let known = NOBODY;
  let knownText: string | undefined;
  // Two loads at once could end in the older state.
  const inTurn = takeTurns();
  await withDeadline(load(), diskLimitMs, `${dataDir}: the data folder does not answer`);
  return {
    read: () => known,
    update: async (change) => {
      const attempt: Attempt = { phase: 'waiting' };
      const job = inTurn(() => withLock(path, () => applyChange(change, attempt)));
      try {
        // The limit includes the turn: a disk that hangs may have stopped the job before.
        return await withDeadline(job, diskLimitMs, 'the disk does not answer');
      } catch (error) {
        const { phase } = attempt;
        if (phase === 'waiting') attempt.phase = 'refused';
        refuseForDisk(error, phase);
      }
    },
    refresh: () => withDeadline(inTurn(load), diskLimitMs, `${dataDir}: the data folder does not answer`),
  };

  async function applyChange<T>(change: (people: People) => Change<T>, attempt: Attempt): Promise<T> {
    await load();
    const { next, result } = change(known);
    if (next === known || attempt.phase === 'refused') return result;
    attempt.phase = 'writing';
    await replaceFile(path, Buffer.from(`${JSON.stringify(next, null, 2)}\n`));
    attempt.phase = 'written';
    await load();
    return result;
  }

  async function load(): Promise<void> {
    // The whole text, because a file system may give a new file the number, the time and the size of the one before it.
    const text = await readDataFile(path).catch(forgiveMissing);
    if (text === knownText) return;
    known = text === undefined ? NOBODY : parsePeople(text, path);
    knownText = text;
  }
}

/** A disk that is full, read-only or gone is nobody's mistake, and must not keep people waiting. */
function refuseForDisk(error: unknown, phase: Attempt['phase']): never {
  const isOurs = error instanceof HttpError || error instanceof PeopleError;
  const code = readCode(error);
  if (isOurs || code === '') throw error;
  if (error instanceof UnsyncedError) {
    throw new HttpError(503, {
      code: 'people-uncertain',
      message:
        'The change was made, but the disk of the data folder has a fault: it may be lost if the machine stops.',
    });
  }
  if (phase === 'written' || (phase === 'writing' && error instanceof DeadlineError)) {
    throw new HttpError(503, {
      code: 'people-uncertain',
      message: 'The data folder does not answer. Look again later: the change may still be made.',
    });
  }
  throw new HttpError(503, {
    code: 'people-unavailable',
    message: `Nothing was changed: ${FILE} in the data folder cannot be written (${code}).`,
  });
}

function parsePeople(text: string, path: string): People {
  try {
    return v.parse(peopleSchema, JSON.parse(text));
  } catch (error) {
    throw new PeopleError(
      `${path} does not hold people of ours: bring it back from a backup, or delete it and invite everybody again`,
      { cause: error },
    );
  }
}

/** Runs a job while no other process may change the file. */
async function withLock<T>(path: string, job: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  const own = await takeLock(lock);
  try {
    return await job();
  } finally {
    // If this took too long, the lock may be another process's by now.
    const found = await stat(lock).catch(forgiveMissing);
    if (found?.ino === own.ino && found.mtimeMs === own.mtimeMs) await rm(lock, { force: true });
  }
}

async function takeLock(lock: string): Promise<Stats> {
  await mkdir(join(lock, '..'), { recursive: true, mode: 0o700 });
  const until = performance.now() + LOCK_PATIENCE_MS;
  for (;;) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      return await stat(lock);
    } catch (error) {
      if (readCode(error) !== 'EEXIST') throw error;
    }
    const stale = await findStale(lock);
    if (stale !== undefined && (await removeStale(lock, stale))) continue;
    if (performance.now() > until) {
      throw new PeopleError(`${lock} stays locked: if no "waypost operator" is running, delete it`);
    }
    await wait(LOCK_PAUSE_MS);
  }
}

async function findStale(lock: string): Promise<Stats | undefined> {
  const found = await stat(lock).catch(forgiveMissing);
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > STALE_LOCK_MS ? found : undefined;
}

/**
 * Removes a lock that was left behind. Several processes may find it at the same moment: one of them removes it, and must
 * not meet the new lock of another. So each first takes a lock for removing this one, and then looks again. Returns false
 * if another process is at it.
 */
async function removeStale(lock: string, { mtimeMs }: Stats): Promise<boolean> {
  const claim = `${lock}.${mtimeMs}`;
  try {
    await (await open(claim, 'wx', 0o600)).close();
  } catch (error) {
    if (readCode(error) !== 'EEXIST') throw error;
    // The process that was at it may have been killed, too.
    if ((await findStale(claim)) !== undefined) await rm(claim, { force: true });
    return false;
  }
  try {
    if ((await findStale(lock)) !== undefined) await rm(lock, { force: true });
  } finally {
    await rm(claim, { force: true });
  }
  return true;
}

function forgiveMissing(error: unknown): undefined {
  if (readCode(error) !== 'ENOENT') throw error;
}
