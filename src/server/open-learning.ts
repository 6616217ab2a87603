import type { Logger } from 'pino';
import type { Counts } from './learning/counts.ts';
import { type Steering, createSteering } from './learning/create-steering.ts';
import { type MeasurementKeeper, keepMeasurements } from './learning/keep-measurements.ts';
import type { AskLine } from './lines/create-line-asker.ts';
import type { Confirmation } from './lines/line-state.ts';
import { type ReplicaList, type ReplicaReport, createReplicaList } from './lines/create-replica-list.ts';
import { type LineWatch, createLineWatch } from './lines/create-line-watch.ts';
import type { Metrics } from './metrics/create-metrics.ts';
import type { StepWatch } from './process/create-step-watch.ts';
import { repeat, stopAll } from './process/repeat.ts';
import type { Service } from './process/run-services.ts';
import type { PublishedSite } from './site/publish-site.ts';
import type { Database } from './store/database.ts';
import type { LastGood } from './store/open-last-good.ts';

export type OpenLearningOptions = {
  readonly site: () => PublishedSite;
  readonly database: Database;
  readonly lastGood: LastGood;
  /** What this replica tells the others of itself, beside what it learns. */
  readonly self: Pick<ReplicaReport, 'name' | 'startedAt'>;
  /** Sends a line the speed check; without it the server does not probe the lines itself. */
  readonly askLine: AskLine | undefined;
  /** The pause between two probes of all lines. */
  readonly probeEveryMs: number | undefined;
  /** What settles whether a line is down. */
  readonly confirmation: () => Confirmation;
  /** Told of each window that all portals learn from, once. */
  readonly onWindow: (counts: Counts, at: number) => void;
  readonly metrics: Metrics;
  readonly steps: StepWatch;
  readonly log: Logger;
  readonly now: () => number;
  readonly random: () => number;
};

/** What a server learns about its lines: from visitors, from its own probes, and from the other replicas. */
export type OpenedLearning = Service & {
  readonly steering: Steering;
  readonly measurements: MeasurementKeeper;
  readonly replicas: ReplicaList;
  /** Undefined where the server does not probe the lines itself. */
  readonly lineWatch: LineWatch | undefined;
};

const LEARN_EVERY_MS = 1_000;
const EXCHANGE_EVERY_MS = 1_000;

/** Opens what a server has learned, and connects what it learns with what it picks. */
export async function openLearning(options: OpenLearningOptions): Promise<OpenedLearning> {
  const { site, database, self, askLine, confirmation, metrics, steps, log, now, random } = options;
  const steering = createSteering({ now, random });
  updateLines();
  const measurements = await keepMeasurements({ ...options, steering });
  const probing = new AbortController();
  const { signal } = probing;
  const lineWatch =
    askLine && createLineWatch({ site, askLine, signal, steering, metrics, confirmation, log, now, random });
  const replicas = createReplicaList({
    database,
    describeSelf: () => ({
      ...self,
      siteVersion: site().version,
      siteHash: site().hash,
      lines: lineWatch?.view() ?? null,
    }),
  });
  return {
    steering,
    measurements,
    replicas,
    lineWatch,
    start: () =>
      stopAll(
        repeat(learn, () => LEARN_EVERY_MS, { name: 'learning: learn', log }),
        repeat(exchangeReports, () => EXCHANGE_EVERY_MS, {
          name: 'portals: exchange reports',
          log,
          firstPauseMs: 0,
        }),
        ...(lineWatch ? [lineWatch.start(options.probeEveryMs)] : []),
      ),
    close: async () => {
      probing.abort();
      await Promise.all([replicas.close(), measurements.close()]);
    },
  };

  async function learn(): Promise<void> {
    updateLines();
    await measurements.foldWindows();
  }

  function updateLines(): void {
    const { lines, config } = site();
    steps.run('take up lines', () => steering.setLines(lines.lines, config.lines.steering));
  }

  /** Tells the other replicas of this one, and takes over what they see of the lines. */
  async function exchangeReports(): Promise<void> {
    await replicas.exchangeReports();
    const others = replicas
      .replicas()
      .filter((each) => !each.isThis && each.goneSince === undefined && each.siteHash === site().hash);
    lineWatch?.setOthers(others.flatMap(({ lines }) => lines ?? []));
  }
}
