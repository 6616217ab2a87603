import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { type MeasurementKeeper, keepMeasurements } from './learning/keep-measurements.ts';
import { type State, type StateOptions, openState } from './open-state.ts';
import type { Metrics } from './metrics/metrics.ts';
import { repeat } from './process/repeat.ts';
import type { ReplicaBoard } from './redis/replica-board.ts';
import type { PublishedSite } from './site/publish-site.ts';
import { type Steering, createSteering } from './learning/create-steering.ts';
import { withDeadline } from './process/with-deadline.ts';
import { type LineWatch, type LineWatchDeps, createLineWatch } from './lines/watch-lines.ts';

export type LearningOptions = {
  readonly dataDir: string;
  readonly secret?: string | undefined;
  readonly redisUrl?: string | undefined;
  /** Sends a line the speed check; without it the server does not look at the lines itself. */
  readonly askLine?: LineWatchDeps['askLine'];
  readonly site: () => PublishedSite;
  readonly metrics: Metrics;
  readonly log: Logger;
};

export type Learning = Pick<State, 'secret' | 'shareLimiter'> & {
  readonly steering: Steering;
  readonly measurements: MeasurementKeeper;
  /** Undefined where the server does not look at the lines itself. */
  readonly lineWatch: LineWatch | undefined;
  readonly replicas: ReplicaBoard;
  readonly startedAt: number;
  /** Saves what was learned, within this time. */
  readonly close: (limitMs: number) => Promise<void>;
};

const LOOK_EVERY_MS = 1_000;
const PROBE_EVERY_MS = 30_000;
/** Keeps replicas from probing in step. */
const PROBE_JITTER_MS = 6_000;

/** Starts to count, to learn from the counts, and to watch the lines. */
export async function startLearning(options: LearningOptions): Promise<Learning> {
  const { site, metrics, log, askLine } = options;
  const effects = { now: Date.now, random: Math.random };
  const settings: StateOptions = {
    dataDir: options.dataDir,
    secret: options.secret,
    redisUrl: options.redisUrl,
    siteName: site().config.brand.name,
    metrics,
    log,
    now: effects.now,
  };
  const state = await openState(settings);
  const steering = createSteering(effects);
  followSite();
  const measurements = await keepMeasurements({ ...effects, store: state.store, steering, metrics, log });
  const startedAt = effects.now();
  const replicas = state.joinReplicas(() => ({
    name: `${hostname()}:${process.pid}`,
    startedAt,
    siteVersion: site().version,
    siteHash: site().hash,
    isStoreUp: measurements.storeState().isUp,
  }));
  const probing = new AbortController();
  const { signal } = probing;
  const lineWatch = askLine && createLineWatch({ ...effects, site, askLine, signal, steering, metrics });
  const stops = [
    repeat(look, () => LOOK_EVERY_MS),
    repeat(state.look, () => LOOK_EVERY_MS),
    repeat(replicas.look, () => LOOK_EVERY_MS, 0),
    lineWatch &&
      repeat(lineWatch.probeLines, () => PROBE_EVERY_MS + (effects.random() - 0.5) * PROBE_JITTER_MS, 0),
  ];
  return {
    secret: state.secret,
    shareLimiter: state.shareLimiter,
    steering,
    measurements,
    lineWatch,
    replicas,
    startedAt,
    close: async (limitMs) => {
      for (const stop of stops) stop?.();
      probing.abort();
      const saving = Promise.all([replicas.close(), measurements.close()]);
      const message = `what was learned was not saved within ${limitMs} ms`;
      await withDeadline(saving, limitMs, message)
        .catch((error: unknown) => log.error({ err: error }, 'closing without a last snapshot'))
        .finally(state.close);
    },
  };

  async function look(): Promise<void> {
    followSite();
    await measurements.look();
  }

  function followSite(): void {
    const { lines, config } = site();
    steering.setLines(lines.lines, config.lines.steering);
  }
}
