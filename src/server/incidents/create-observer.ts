import { findLineId } from '../../contract/incidents.ts';
import type { LineReply } from '../../contract/line/line-reply.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';
import { DEFAULT_OBJECTIVE } from '../../contract/site/alert-settings.ts';
import { nameRange, parseAddress } from '../caller/parse-address.ts';
import type { Steering } from '../learning/create-steering.ts';
import { findEntryLoss } from '../learning/losses/entry-losses.ts';
import { findLineLoss } from '../learning/losses/judge-losses.ts';
import { findSlowLine } from '../learning/losses/slow-lines.ts';
import type { MeasurementKeeper } from '../learning/keep-measurements.ts';
import type { ReplicaList } from '../lines/create-replica-list.ts';
import type { LineWatch } from '../lines/create-line-watch.ts';
import { type LineState, portOf } from '../lines/line-state.ts';
import { createMinuteCounts } from './create-minute-counts.ts';
import type { SiteRecord } from '../site/keep-site.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import { isDuring } from '../site/time-windows.ts';
import type { Database, StoreState } from '../store/database.ts';
import type { CallWatch } from '../visitors/watch-calls.ts';
import type { Sighting } from './follow-conditions.ts';
import type { LineGroups } from './join-incidents.ts';
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
  /** Says which lines have something in common. */
  readonly groupLines: (sources: Pick<ObserverSources, 'site' | 'lineWatch'>) => LineGroups;
};

/** Normal: the page was closed twice, or the visitor changed networks. */
const HARMLESS = new Set(['ticket-spent', 'ticket-expired', 'other-network']);

export function createObserver(now: () => number): Observer {
  const counts = createMinuteCounts<Counted>(LATELY_MINUTES);
  const ranges = new Map<string, string>();
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
    groupLines: ({ site, lineWatch }) => {
      const { lines, byId } = site().lines;
      const states = lineWatch?.states() ?? new Map<string, LineState>();
      const shared = new Map<string, Set<string>>();
      const share = (id: string, what: string): void => {
        shared.set(what, (shared.get(what) ?? new Set()).add(`line/${id}`));
      };
      for (const [id, { addresses }] of states) {
        const [range] = addresses.flatMap(({ reply }) => findRange(reply) ?? []);
        if (range !== undefined) ranges.set(id, range);
        for (const { address } of addresses) share(id, `port/${portOf(address)}`);
      }
      // A line that is down shows no address: the last one counts.
      for (const [id, range] of ranges) {
        if (byId.has(id)) share(id, `range/${range}`);
        else ranges.delete(id);
      }
      return {
        lines: new Set(lines.map(({ id }) => `line/${id}`)),
        shared: new Map(
          [...shared].flatMap(([what, causes]) => (causes.size > 1 ? [[what, [...causes]] as const] : [])),
        ),
      };
    },
  };
}

/** The address range of an answer: a /24, or a /48 of IPv6. */
function findRange(reply: LineReply): string | undefined {
  if (reply.kind !== 'answer' || reply.remoteAddress === undefined) return undefined;
  const address = parseAddress(reply.remoteAddress);
  return address && nameRange(address);
}

/** Whether nobody is told now of what has these causes, because all their lines, or the whole site, are in maintenance. */
export function isInMaintenance(
  { lines, config }: Pick<PublishedSite, 'lines' | 'config'>,
  causes: readonly string[],
  at: number,
): boolean {
  const isNow = (windows: readonly Parameters<typeof isDuring>[0][]): boolean =>
    windows.some((window) => isDuring(window, at));
  const isLineOut = (cause: string): boolean =>
    isNow(lines.byId.get(findLineId(cause) ?? '')?.policy.maintenance ?? []);
  return isNow(config.maintenance) || (causes.length > 0 && causes.every(isLineOut));
}

function countLost(
  { history }: Pick<MeasurementKeeper, 'history'>,
  lineId: string,
  { since, at }: { readonly since: number; readonly at: number },
): number {
  const minutes = Math.floor(at / MINUTE_MS) - Math.floor(since / MINUTE_MS) + 1;
  return history
    .readLine(lineId, at, Math.max(1, Math.min(minutes, 24 * 60)))
    .reduce((sum, { tried, reached }) => sum + tried - reached, 0);
}
