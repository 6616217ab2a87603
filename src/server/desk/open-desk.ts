import type { Logger } from 'pino';
import { HOUR_MS } from '../../contract/time-units.ts';
import { repeat, stopAll } from '../process/repeat.ts';
import type { SiteKeeper } from '../site/keep-site.ts';
import type { Database } from '../store/database.ts';
import type { LastGood } from '../store/open-last-good.ts';
import { type Desk, createDesk } from './create-desk.ts';
import { type VersionSource, createVersionSource } from './create-version-source.ts';
import { followSite } from './follow-site.ts';
import { type DeskStores, openDeskStores } from './open-desk-stores.ts';
import { SITE_TOPIC } from './create-version-store.ts';
import type { DeskWork } from './work/jobs.ts';

export type OpenDeskOptions = {
  readonly database: Database;
  /** What is served if the database is away at the start. */
  readonly lastGood: LastGood;
  readonly siteDir: string;
  /** Works on what people send, in processes that it can stop. */
  readonly work: DeskWork;
  readonly log: Logger;
  readonly now: () => number;
};

/** A desk before anything is served. */
export type OpenedDesk = {
  readonly stores: DeskStores;
  readonly source: VersionSource;
  /** Connects the desk with what is served. */
  readonly connect: (keeper: SiteKeeper) => ConnectedDesk;
};

export type ConnectedDesk = {
  readonly desk: Desk;
  /** Serves each version that goes live, and removes what nothing needs any more. The returned function stops that. */
  readonly start: () => () => void;
};

const RETRY_EVERY_MS = 5_000;

/** Opens what a desk keeps. */
export function openDesk({ database, lastGood, siteDir, work, log, now }: OpenDeskOptions): OpenedDesk {
  const stores = openDeskStores({ database, siteDir, now });
  const source = createVersionSource({
    siteDir,
    stores,
    lastGood,
    isUp: () => database.state().isUp,
    log,
    now,
  });
  return {
    stores,
    source,
    connect: (keeper) => {
      const desk = createDesk({ stores, siteDir, keeper, work, log, now });
      const { follow, retry } = followSite({
        stores,
        source,
        keeper,
        siteDir,
        lastGood: database.isShared ? lastGood : undefined,
        log,
      });
      return {
        desk,
        start: () =>
          stopAll(
            database.watch(SITE_TOPIC, follow),
            repeat(retry, () => RETRY_EVERY_MS, { name: 'desk: serve the current version', log }),
            repeat(desk.prune, () => HOUR_MS, { name: 'desk: prune', log }),
          ),
      };
    },
  };
}
