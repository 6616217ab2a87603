import { join } from 'node:path';
import { HOUR_MS } from '../../contract/limits.ts';
import { nameBrand } from '../../contract/site/site-config.ts';
import { repeat, stopAll } from '../process/repeat.ts';
import { agreeOnName, prefixOf, tellName } from '../redis/agree-on-name.ts';
import type { Redis } from '../redis/open-redis.ts';
import type { SiteKeeper } from '../site/keep-site.ts';
import { openSiteFolder } from '../site/load-site.ts';
import { parseSite } from '../site/parse-site.ts';
import { type Desk, createDesk } from './create-desk.ts';
import { type VersionSource, createVersionSource } from './create-version-source.ts';
import { createVersionExchange, shareCommits } from './exchange-versions.ts';
import { followCurrent } from './follow-current.ts';
import { type DeskStores, type DeskStoresOptions, openDeskStores } from './open-desk-stores.ts';
import { shareVersionsByRedis } from './shared-versions.ts';
import type { DeskWork } from './work/jobs.ts';

export type OpenDeskOptions = DeskStoresOptions & {
  readonly siteDir: string;
  /** Where what people send is worked on. */
  readonly work: DeskWork;
  /** Where replicas share their versions. Undefined for a portal that runs alone. */
  readonly redis: Redis | undefined;
};

/** A desk before anything is served. */
export type OpenedDesk = {
  /** The name under which the replicas of this site meet; undefined for a portal that runs alone. */
  readonly name: string | undefined;
  readonly stores: DeskStores;
  readonly source: VersionSource;
  /** Connects the desk with what is served. */
  readonly connect: (keeper: SiteKeeper) => ConnectedDesk;
};

export type ConnectedDesk = {
  readonly desk: Desk;
  /** Shares versions with the other replicas. To be repeated about twice a second; it never fails. */
  readonly exchange: () => Promise<void>;
  /** Serves the current version, should it not be served. To be repeated; it never fails. */
  readonly follow: () => Promise<void>;
  /** Shares versions, follows the current one, and removes what nothing needs any more. Returns what ends it. */
  readonly start: () => () => void;
};

/** A version must be live on every replica within two seconds. */
const EXCHANGE_EVERY_MS = 500;
const FOLLOW_EVERY_MS = 5_000;
const PRUNE_EVERY_MS = HOUR_MS;

/** Opens what a desk keeps: alone, or together with other replicas. Then this one starts with their newest version. */
export async function openDesk({ siteDir, work, redis, ...options }: OpenDeskOptions): Promise<OpenedDesk> {
  const { dir, log, now } = options;
  const own = await openDeskStores(options);
  const createFollow = (keeper: SiteKeeper, { lookAgain }: VersionSource): (() => Promise<void>) =>
    followCurrent({ versions: own.versions, keeper, siteDir, onServe: lookAgain, log });
  if (redis === undefined) {
    const source = createVersionSource({ siteDir, stores: own, log, now });
    return {
      name: undefined,
      stores: own,
      source,
      connect: (keeper) => {
        const desk = createDesk({ stores: own, siteDir, keeper, work, log, now });
        const follow = createFollow(keeper, source);
        return {
          desk,
          exchange: async () => undefined,
          follow,
          start: () =>
            stopAll(
              repeat(desk.prune, () => PRUNE_EVERY_MS, { name: 'desk: prune', log }),
              repeat(follow, () => FOLLOW_EVERY_MS, { name: 'desk: serve the current version', log }),
            ),
        };
      },
    };
  }
  const name = await agreeOnName(redis, {
    brand: await findBrand(own, siteDir),
    path: join(dir, 'name'),
  });
  const shared = shareVersionsByRedis(redis, prefixOf(name));
  const deps = { shared, stores: own, siteDir, log, now };
  await createVersionExchange({ ...deps, replace: keepWithoutServing, isStarting: true }).exchange();
  const stores = { ...own, versions: shareCommits(own.versions, shared), isShared: true };
  const source = createVersionSource({ siteDir, stores, log, now });
  return {
    name,
    stores,
    source,
    connect: (keeper) => {
      const { replace } = keeper;
      const versions = createVersionExchange({ ...deps, replace, onSame: source.lookAgain });
      const { catchUp } = versions;
      const desk = createDesk({ stores, siteDir, keeper, work, catchUp, log, now });
      const exchange = async (): Promise<void> => {
        await versions.exchange();
        // If Redis is away, the next one tells it.
        await tellName(redis, { brand: nameBrand(keeper.current().config), name }).catch(() => undefined);
      };
      const follow = createFollow(keeper, source);
      return {
        desk,
        exchange,
        follow,
        start: () =>
          stopAll(
            repeat(desk.prune, () => PRUNE_EVERY_MS, { name: 'desk: prune', log }),
            repeat(follow, () => FOLLOW_EVERY_MS, { name: 'desk: serve the current version', log }),
            repeat(exchange, () => EXCHANGE_EVERY_MS, {
              name: 'desk: exchange versions',
              log,
              firstPauseMs: 0,
            }),
          ),
      };
    },
  };
}

/** Nothing is served yet: the version is checked and kept, and then served like any other. */
const keepWithoutServing: SiteKeeper['replace'] = async (prepare, commit) => {
  if ((await prepare(() => undefined)) !== undefined) await commit();
};

/** What the site is called: in its current version, or else in its folder. Empty if that is broken: the start says so. */
async function findBrand({ versions }: DeskStores, siteDir: string): Promise<string> {
  const files = await versions
    .read(versions.currentNumber())
    .then(({ files: manifest }) => versions.readFiles(manifest))
    .catch(async () => (await openSiteFolder(siteDir)).files);
  const { site } = parseSite(files);
  return site === undefined ? '' : nameBrand(site.config);
}
