import type { Logger } from 'pino';
import type { Desk } from './desk/create-desk.ts';
import { holdDesk } from './desk/hold-desk.ts';
import { openDesk } from './desk/open-desk.ts';
import { createRequestAnswer } from './desk/requests.ts';
import { listWatchedLines } from './lines/line-state.ts';
import type { DeskWork } from './desk/work/jobs.ts';
import type { Metrics } from './metrics/metrics.ts';
import { stopAll } from './process/repeat.ts';
import type { Redis } from './redis/open-redis.ts';
import { type SiteKeeper, keepSite } from './site/keep-site.ts';
import { createFolderSource } from './site/load-site.ts';
import type { PublishDeps } from './site/publish-site.ts';

export type OpenSiteOptions = {
  readonly siteDir: string;
  /** The desk's folder. Undefined where editing is off. */
  readonly held: HeldDesk | undefined;
  /** Where what people send to the desk is worked on. */
  readonly work: DeskWork;
  /** Where replicas share their versions. Undefined for a portal that runs alone. */
  readonly redis: Redis | undefined;
  readonly rendering: PublishDeps;
  readonly metrics: Pick<Metrics, 'setSite' | 'countSiteRefusal' | 'countLookupFault'>;
  readonly log: Logger;
  readonly now: () => number;
};

/** The site that a server serves. */
export type OpenedSite = {
  readonly keeper: SiteKeeper;
  /** Undefined where editing is off. */
  readonly desk: Desk | undefined;
  /** The name under which the replicas of this site have agreed to meet; undefined where they have not. */
  readonly name: string | undefined;
  /** Follows what changes in the folder, and on the other replicas. Returns what ends it. */
  readonly start: () => () => void;
};

/** The desk's folder, which no other process writes to meanwhile. */
export type HeldDesk = {
  readonly dir: string;
  /** Who answers the commands that find the folder held. */
  readonly setDesk: (desk: Desk) => void;
  readonly release: () => Promise<void>;
};

/** Makes sure that no other process writes to the desk's folder. */
export async function openHeldDesk(dir: string): Promise<HeldDesk> {
  let desk: Desk | undefined;
  const { release } = await holdDesk(
    dir,
    createRequestAnswer(() => desk),
  );
  return { dir, setDesk: (opened) => void (desk = opened), release };
}

/** Opens the site: its folder or, where it can be edited, its versions. */
export async function openSite(options: OpenSiteOptions): Promise<OpenedSite> {
  const { siteDir, held, work, redis, rendering, metrics, log, now } = options;
  const opened = held && (await openDesk({ dir: held.dir, siteDir, work, redis, log, now }));
  const keeper = await keepSite({
    ...rendering,
    source: opened?.source ?? createFolderSource(siteDir),
    log,
    onPublish: ({ version, hash, lines }) => {
      const hosts = listWatchedLines(lines).map(({ line }) => line.host);
      void metrics.setSite({ version, hash, hosts });
    },
    onRefuse: metrics.countSiteRefusal,
    onLookupFault: metrics.countLookupFault,
  });
  const connected = opened?.connect(keeper);
  if (connected !== undefined) held?.setDesk(connected.desk);
  return {
    keeper,
    desk: connected?.desk,
    name: opened?.name,
    start: () => stopAll(keeper.start(), ...(connected ? [connected.start()] : [])),
  };
}
