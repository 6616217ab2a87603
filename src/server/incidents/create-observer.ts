import { DAY_MINUTES, MINUTE_MS } from '../../contract/time-units.ts';
import { DEFAULT_OBJECTIVE } from '../../contract/site/alert-settings.ts';
import type { Steering } from '../learning/create-steering.ts';
import { findEntryLoss } from '../learning/losses/entry-losses.ts';
import { findLineLoss } from '../learning/losses/judge-losses.ts';
import { findSlowLine } from '../learning/losses/slow-lines.ts';
import type { MeasurementKeeper } from '../learning/keep-measurements.ts';
import type { ReplicaList } from '../lines/create-replica-list.ts';
import type { LineWatch } from '../lines/create-line-watch.ts';
import { createMinuteCounts } from './create-minute-counts.ts';
import type { SiteRecord } from '../site/create-site-record.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import type { Database, StoreState } from '../store/database.ts';
import type { CallWatch } from '../visitors/watch-calls.ts';
import type { Sighting } from './follow-conditions.ts';
import { describeCutOff, observeLines } from './observe-lines.ts';
import { type Counted, LATELY_MINUTES, observeSite } from './observe-site.ts';

export type ObserverSources = {
  readonly site: () => Pick<PublishedSite, 'lines' | 'config'>;
  readonly siteRecord: () => SiteRecord;
  readonly steering: Pick<Steering, 'knowledge'>;
  readonly measurements: Pick<MeasurementKeeper, 'history'>;
  readonly lineWatch: Pick<LineWatch, 'states' | 'cutOff'> | undefined;
  /** This portal and the others. */
  readonly replicas: Pick<ReplicaList, 'replicas'>;
  readonly database: Pick<Database, 'isShared' | 'state'>;
  /** Whether this portal can write to its data folder. */
  readonly dataFolder: () => StoreState;
  readonly missing: CallWatch['missing'];
};

/** Counts what incidents are made of, and says what is wrong now. */
export type Observer = {
  /** Counts a report, taken or refused. */
  readonly countVerdict: (verdict: string) => void;
  readonly countRegion: (isKnown: boolean) => void;
  readonly observe: (sources: ObserverSources) => readonly Sighting[];
};

/** Normal: the page was closed twice, or the visitor changed networks. */
const HARMLESS = new Set(['ticket-spent', 'ticket-expired', 'other-network']);

export function createObserver(now: () => number): Observer {
  const counts = createMinuteCounts<Counted>(LATELY_MINUTES);
  let entriesLostAt = 0;

  return {
    countVerdict: (verdict) => {
      if (!HARMLESS.has(verdict)) counts.add(verdict === 'accepted' ? 'accepted' : 'refused', now());
    },
    countRegion: (isKnown) => counts.add(isKnown ? 'knownRegions' : 'unknownRegions', now()),
    observe: ({
      site,
      siteRecord,
      steering,
      measurements,
      lineWatch,
      replicas,
      database,
      dataFolder,
      missing,
    }) => {
      const at = now();
      const { lines, config } = site();
      const [self, ...others] = replicas.replicas();
      const { losses } = steering.knowledge();
      if (findEntryLoss(losses.entries, at)) entriesLostAt = at;
      return [
        // A portal that is cut off may not be able to tell it.
        ...others
          .filter(({ lines: seen, goneSince }) => seen?.isCutOff && goneSince === undefined)
          .map(({ name }) => describeCutOff(name, at)),
        ...observeLines({
          ...lines,
          states: lineWatch?.states(),
          cutOff: lineWatch?.cutOff(),
          findLoss: (id, question) => findLineLoss(losses, id, question),
          findSlow: (id) => findSlowLine(losses.paces, id, at),
          countLost: (id, since) => countLost(measurements, id, { since, at }),
          portal: self?.name ?? '',
          now: at,
        }),
        ...observeSite({
          counts,
          history: measurements.history,
          entries: losses.entries,
          entriesLostAt,
          objective: config.alerts?.objective ?? DEFAULT_OBJECTIVE,
          siteRecord: siteRecord(),
          database: { isShared: database.isShared, ...database.state() },
          dataFolder: dataFolder(),
          missing: missing(),
          now: at,
        }),
      ];
    },
  };
}

function countLost(
  { history }: Pick<MeasurementKeeper, 'history'>,
  lineId: string,
  { since, at }: { readonly since: number; readonly at: number },
): number {
  const minutes = Math.floor(at / MINUTE_MS) - Math.floor(since / MINUTE_MS) + 1;
  return history
    .readLine(lineId, at, Math.max(1, Math.min(minutes, DAY_MINUTES)))
    .reduce((sum, { tried, reached }) => sum + tried - reached, 0);
}
