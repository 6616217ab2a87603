import type { Logger } from 'pino';
import { findConsoleLanguage } from '../../contract/console-language.ts';
import { nameBrand } from '../../contract/site/site-config.ts';
import { HOUR_MS, MINUTE_MS } from '../../contract/time-units.ts';
import { WHOLE_SITE } from '../../contract/uptime.ts';
import type { IncidentKeeper } from '../incidents/create-incident-keeper.ts';
import type { LineWatch } from '../lines/create-line-watch.ts';
import { findBelieved, listWatchedLines } from '../lines/line-state.ts';
import { repeat, stopAll } from '../process/repeat.ts';
import type { Service } from '../process/run-services.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import type { LinePolicy } from '../site/create-line-policy.ts';
import { findMaintenance, findSiteMaintenance } from '../site/time-windows.ts';
import { type Database, DeposedError, StoreAwayError } from '../store/database.ts';
import type { MinuteBook, MinuteState } from './create-minute-book.ts';
import { type UptimeStore, createUptimeStore } from './create-uptime-store.ts';
import { createIncidentWriter } from './create-incident-writer.ts';
import { describeReport } from './describe-report.ts';
import { findDueReports } from './find-due-reports.ts';
import { listHistories } from './list-histories.ts';

export type UptimeDeps = {
  readonly database: Pick<Database, 'read' | 'change' | 'transaction' | 'lead' | 'state'>;
  readonly site: () => Pick<PublishedSite, 'lines' | 'config'>;
  /** Undefined where the server does not probe the lines itself. */
  readonly lineWatch: Pick<LineWatch, 'states' | 'cutOff'> | undefined;
  readonly incidents: Pick<IncidentKeeper, 'list'>;
  readonly book: MinuteBook;
  readonly log: Pick<Logger, 'error'>;
  readonly now: () => number;
};

export type OpenedUptime = Required<Service> & {
  readonly store: Pick<
    UptimeStore,
    'readSums' | 'readStretches' | 'readPoints' | 'readTable' | 'readIncidents'
  >;
  /** Looks at the lines, and writes what is over if this portal leads. Call it every few seconds. */
  readonly follow: () => Promise<void>;
};

const FOLLOW_EVERY_MS = 5_000;
const REMOVE_EVERY_MS = HOUR_MS;
/** Windows of the last minute may still be written by other portals. */
const WAIT_MINUTES = 1;

/** Keeps how often visitors got in for 400 days. All portals look, and the one that leads writes. No visitor waits for it. */
export function openUptime(deps: UptimeDeps): OpenedUptime {
  const { database, site, incidents, book, log, now } = deps;
  const store = createUptimeStore(database);
  let notedMinute = Math.floor(now() / MINUTE_MS) - 1;
  const incidentWriter = createIncidentWriter(store);

  const removeOld = (): Promise<void> => store.removeOld(now());
  return { store, follow, start, close };

  function start(): () => void {
    return stopAll(
      repeat(follow, () => FOLLOW_EVERY_MS, { name: 'history: follow', log }),
      repeat(removeOld, () => REMOVE_EVERY_MS, { name: 'history: remove old', log, firstPauseMs: 0 }),
    );
  }

  async function follow(): Promise<void> {
    if (noteLastMinute()) await writeIfLeading(notedMinute - WAIT_MINUTES);
  }

  /** Writes the last minute, too: nobody else may have it. */
  async function close(): Promise<void> {
    noteLastMinute();
    await writeIfLeading(notedMinute);
  }

  /** Notes how the lines are at the end of a minute. Returns true once after each minute. */
  function noteLastMinute(): boolean {
    const last = Math.floor(now() / MINUTE_MS) - 1;
    // Also after the clock was set back.
    if (last === notedMinute) return false;
    notedMinute = last;
    book.noteStates(last, listStates(deps, now()));
    return true;
  }

  async function writeIfLeading(until: number): Promise<void> {
    if (!database.state().isUp) return;
    try {
      const term = await database.lead();
      if (term === undefined) incidentWriter.forget();
      else await write(until, term);
      // A portal that does not lead keeps the last minutes: it may have to go on.
    } catch (error) {
      incidentWriter.forget();
      if (!(error instanceof DeposedError) && !(error instanceof StoreAwayError)) throw error;
    }
  }

  async function write(until: number, term: number): Promise<void> {
    const last = await store.readLast();
    const { byId } = site().lines;
    const seen = book.list(Math.min(last, until - 1), until).map(({ minute, sums }) => ({
      minute,
      sums: new Map(
        [...sums].flatMap(([id, each]) => {
          const name = id === WHOLE_SITE ? id : byId.get(id)?.host;
          return name === undefined ? [] : [[name, each] as const];
        }),
      ),
    }));
    if (seen.length > 0) await store.write(seen, term);
    book.forget(until);
    await incidentWriter.write(incidents.list(), term);
    await queueReports(term);
  }

  async function queueReports(term: number): Promise<void> {
    const { config, lines } = site();
    if (config.alerts?.reports === undefined) return;
    for (const { channel, mark, period } of findDueReports(config.alerts, now())) {
      if (await store.isTold({ name: mark, value: period.until })) continue;
      const { all } = await listHistories(period, { store, lines });
      const message = describeReport(
        { all, period },
        {
          id: `${mark.replaceAll('/', '-')}-${period.lastDay}`,
          site: nameBrand(config),
          language: findConsoleLanguage([config.defaultLocale]),
          now: now(),
          consoleUrl: config.console.url,
        },
      );
      const report = { channel, message, tries: 0, nextAt: now() };
      await store.queueReport(report, { name: mark, value: period.until }, term);
    }
  }
}

/** How the lines are at a moment, without those in maintenance. None while the site is closed. */
function listStates(
  { site, lineWatch }: Pick<UptimeDeps, 'site' | 'lineWatch'>,
  at: number,
): ReadonlyMap<string, MinuteState> {
  const { lines, config } = site();
  if (findSiteMaintenance(config.maintenance, at)?.closes) return new Map();
  const states = findBelieved(lineWatch);
  return new Map(
    listWatchedLines(lines)
      .filter(({ line }) => findMaintenance(line.policy.maintenance, at) === undefined)
      .map(({ line, role }) => {
        const condition = states?.get(line.id)?.condition;
        const isDown = condition === undefined ? undefined : condition === 'down';
        return [line.id, { isDown, isHandedOut: role === 'line' && isForMost(line.policy) }] as const;
      }),
  );
}

/** Whether a line is handed to all visitors. Of one that is for some of them only, nobody knows how many would have got it. */
function isForMost({ isDrained, countries, networks }: LinePolicy): boolean {
  return !isDrained && countries.only.size === 0 && networks.only.size === 0;
}
