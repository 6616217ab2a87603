import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { takeTurns } from '../process/take-turns.ts';
import { withDeadline } from '../process/with-deadline.ts';
import { numberOf } from '../redis/shared-record.ts';
import type { SiteKeeper } from '../site/keep-site.ts';
import { loadSiteFiles } from '../site/load-site.ts';
import { DeskError, VersionMovedError } from './desk-error.ts';
import type { DeskStores } from './open-desk-stores.ts';
import {
  type ReadBytes,
  type SharedVersions,
  ToldError,
  headOf,
  readSharedFiles,
} from './shared-versions.ts';
import type { VersionRecord, VersionStore } from './version-store.ts';

export type VersionExchange = {
  /** Takes over what another replica has published, or offers what only this one has. It never fails. To be repeated. */
  readonly exchange: () => Promise<void>;
  /** The same, at once, also if this version could not be served a moment ago. */
  readonly catchUp: () => Promise<void>;
};

export type VersionExchangeDeps = {
  readonly shared: SharedVersions;
  /** The stores of this replica alone. */
  readonly stores: Pick<DeskStores, 'versions' | 'inTurn'>;
  readonly siteDir: string;
  readonly replace: SiteKeeper['replace'];
  /** True before anything is served: the files of the own version are read, too, and if they are damaged it does not count. */
  readonly isStarting?: boolean;
  /** Called when this replica and Redis have the same version. */
  readonly onSame?: () => void;
  readonly log: Logger;
  readonly now: () => number;
};

/** A version that cannot be served here is tried again after this long. */
const RETRY_MS = 10_000;
const FETCH_LIMIT_MS = 60_000;

/**
 * Versions of which all replicas learn. A version counts once it is the newest in Redis, and only a replica that has the
 * newest can put one after it: of two that publish at the same moment, one is refused.
 */
export function shareCommits(own: VersionStore, shared: SharedVersions): VersionStore {
  return {
    ...own,
    commit: async (version) => {
      const current = await readCurrent(own);
      // What a portal begins with is not published: it gives way to what the others have.
      if (current === undefined) return own.adopt({ number: 1, ...version });
      const next = { number: current.number + 1, ...version };
      const isNewest = await shared
        .replace(headOf(current), next, createReadBytes(own))
        .catch((error: unknown) => refuseWithoutRedis(error));
      if (!isNewest) throw new VersionMovedError('another portal has published meanwhile');
      return own.adopt(next).catch((error: unknown) => {
        throw new DeskError(
          'data-folder',
          `Version ${next.number} is published, but this portal cannot write it to its data folder. It tries again.`,
          { cause: error, mayBeDone: true },
        );
      });
    },
  };
}

/** Keeps this replica at the newest version, and Redis, too, which may forget everything. */
export function createVersionExchange(deps: VersionExchangeDeps): VersionExchange {
  const { shared, stores, siteDir, replace, isStarting = false, onSame = () => undefined, log, now } = deps;
  const { versions, inTurn } = stores;
  const readBytes = createReadBytes(versions);
  const oneAtATime = takeTurns();
  let lastFault = '';
  let refused = { head: '', at: -Infinity };
  return {
    exchange: () => oneAtATime(exchange),
    catchUp: () => {
      refused = { ...refused, at: -Infinity };
      return oneAtATime(exchange);
    },
  };

  async function exchange(): Promise<void> {
    try {
      const head = await shared.readHead();
      const own = await readOwn();
      if (own !== undefined && headOf(own) === head) {
        await shared.repair(own, readBytes);
        return onSame();
      }
      const theirs = numberOf(head) < (own?.number ?? 0) ? undefined : await shared.read(head);
      if (theirs !== undefined) await takeOverOrSay(theirs, own);
      else if (own !== undefined && (await shared.replace(head, own, readBytes))) {
        log.info(
          { version: own.number },
          'the other portals are offered this version: Redis has no newer one',
        );
      }
    } catch (error) {
      // If Redis is away, that is in the log already.
      if (error instanceof DeskError && error.message !== lastFault)
        log.error({ err: error }, 'versions are not shared with the other portals');
      lastFault = error instanceof DeskError ? error.message : '';
    }
  }

  async function readOwn(): Promise<VersionRecord | undefined> {
    const own = await readCurrent(versions);
    if (own === undefined || !isStarting) return own;
    return versions.readFiles(own.files).then(
      () => own,
      () => undefined,
    );
  }

  async function takeOverOrSay(theirs: VersionRecord, own: VersionRecord | undefined): Promise<void> {
    const head = headOf(theirs);
    if (refused.head === head && Math.abs(now() - refused.at) < RETRY_MS) return;
    try {
      await takeOver(theirs, own);
    } catch (error) {
      if (refused.head !== head) {
        log.error(
          { err: error, version: theirs.number, served: own?.number },
          'a version of another portal cannot be served here: this portal goes on with its own, and tries again',
        );
      }
      refused = { head, at: now() };
    }
  }

  async function takeOver(theirs: VersionRecord, own: VersionRecord | undefined): Promise<void> {
    const version = isSameNumberTwice(theirs, own) ? await settle(theirs) : theirs;
    if (version === undefined) return;
    const files = await withDeadline(
      readSharedFiles(version, { readBytes, readFile: shared.readFile }),
      FETCH_LIMIT_MS,
      `the files of version ${version.number} did not come within ${FETCH_LIMIT_MS} ms`,
    );
    let isDone = false;
    await replace(
      async (onLookupFault) => {
        // Meanwhile somebody may have published here.
        if (!isDeepStrictEqual(await readOwn(), own)) return undefined;
        return { ...(await loadSiteFiles({ files }, siteDir, onLookupFault)), version: version.number };
      },
      () =>
        inTurn(async () => {
          await versions.putFiles(files);
          await versions.adopt(version);
          isDone = true;
        }),
    );
    const { number, at, by, from, why } = version;
    if (isDone) log.info({ version: number, at, by, from, why }, 'version of another portal taken over');
  }

  /**
   * Redis was restarted empty in the middle of a publication, and two replicas have made a version with this number. What
   * is in Redis counts. It gets the next number, so that no replica loses the one that it has made.
   */
  async function settle(theirs: VersionRecord): Promise<VersionRecord | undefined> {
    const why = `two portals had made a version ${theirs.number}`;
    const next = { ...theirs, number: theirs.number + 1, at: now(), why };
    log.warn(
      { version: next.number },
      `${why}: the one that is in Redis counts, the other one stays in the list`,
    );
    return (await shared.replace(headOf(theirs), next, readBytes)) ? next : undefined;
  }
}

function isSameNumberTwice(theirs: VersionRecord, own: VersionRecord | undefined): boolean {
  return own !== undefined && own.number === theirs.number && !isDeepStrictEqual(own.files, theirs.files);
}

/** Undefined if there is none, or if it is damaged. */
async function readCurrent(versions: VersionStore): Promise<VersionRecord | undefined> {
  return versions.read(versions.currentNumber()).catch(() => undefined);
}

function createReadBytes(versions: VersionStore): ReadBytes {
  return async (hash) => {
    const [bytes = Buffer.alloc(0)] = (await versions.readFiles({ [hash]: hash })).values();
    return bytes;
  };
}

function refuseWithoutRedis(error: unknown): never {
  if (error instanceof DeskError) throw error;
  throw new DeskError(
    'redis-away',
    `Redis cannot be used (${error instanceof Error ? error.message : String(error)}), and without it the other portals would not learn of this: nothing can be published until it is back. If it went away just now, look at what is live before you publish again.`,
    { cause: error, mayBeDone: error instanceof ToldError },
  );
}
