import type { Logger } from 'pino';
import type { Desk } from './desk/create-desk.ts';
import { openDesk } from './desk/open-desk.ts';
import { listWatchedLines } from './lines/line-state.ts';
import type { DeskWork } from './desk/work/jobs.ts';
import { openDeskWork } from './desk/work/open-desk-work.ts';
import type { Metrics } from './metrics/create-metrics.ts';
import { stopAll } from './process/repeat.ts';
import type { Service } from './process/run-services.ts';
import { type SiteKeeper, keepSite } from './site/keep-site.ts';
import { createFolderSource } from './site/load-site.ts';
import type { PublishDeps } from './site/publish-site.ts';
import type { Database } from './store/database.ts';
import type { LastGood } from './store/open-last-good.ts';

export type OpenSiteOptions = {
  readonly siteDir: string;
  /** Keeps versions, which can be changed from the console. */
  readonly isEditing: boolean;
  /** Instead of processes of its own. */
  readonly deskWork: DeskWork | undefined;
  readonly database: Database;
  readonly lastGood: LastGood;
  readonly rendering: PublishDeps;
  readonly metrics: Pick<Metrics, 'setSite' | 'countSiteRefusal' | 'countLookupFault'>;
  readonly log: Logger;
  readonly now: () => number;
};

/** The site that a server serves. */
export type OpenedSite = Service & {
  readonly keeper: SiteKeeper;
  /** Undefined where editing is off. */
  readonly desk: Desk | undefined;
};

/** Opens the site: its folder or, where it can be edited, its versions. */
export async function openSite(options: OpenSiteOptions): Promise<OpenedSite> {
  const { siteDir, isEditing, rendering, metrics, log } = options;
  const deskWork = isEditing ? openDeskWork({ log }) : undefined;
  const opened = deskWork && openDesk({ ...options, work: options.deskWork ?? deskWork.work });
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
  return {
    keeper,
    desk: connected?.desk,
    start: () => stopAll(keeper.start(), ...(connected ? [connected.start()] : [])),
    close: async () => deskWork?.close(),
  };
}
