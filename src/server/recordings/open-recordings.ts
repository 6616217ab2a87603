import { join } from 'node:path';
import type { Logger } from 'pino';
import type { RecordingsState } from '../../contract/recordings.ts';
import { OWN_INTAKE } from '../../contract/site/site-config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { repeat, stopAll } from '../process/repeat.ts';
import type { Replica } from '../lines/replica-list.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import { type RecordingKeeper, keepRecordings } from './keep-recordings.ts';
import { createRecordingStore } from './recording-store.ts';

export type OpenRecordingsOptions = {
  readonly dataDir: string;
  /** False if another portal keeps the recordings. */
  readonly keepsRecordings: boolean;
  readonly site: () => Pick<PublishedSite, 'config'>;
  readonly metrics: Pick<Metrics, 'setRecordings'>;
  readonly log: Logger;
  readonly now: () => number;
};

export type OpenedRecordings = {
  /** Undefined if another portal keeps the recordings. */
  readonly keeper: RecordingKeeper | undefined;
  /** Where the recordings are, and how much room they use. */
  readonly state: (replicas: readonly Replica[]) => RecordingsState;
  /** Starts to write, to remove what is too old, and to read what is on the disk. Returns what ends it. */
  readonly start: () => () => void;
};

/** A process that is killed loses what it has not written: at most the last second. */
const FLUSH_EVERY_MS = 250;
/** How late it may be noticed that there is too much. */
const CHECK_ROOM_EVERY_MS = 10_000;

/** Opens the recordings in the data folder. Nothing is read or written yet. */
export function openRecordings(options: OpenRecordingsOptions): OpenedRecordings {
  const { dataDir, keepsRecordings, site, metrics, log, now } = options;
  const keeper = keepsRecordings
    ? keepRecordings({
        store: createRecordingStore({ dir: join(dataDir, 'recordings') }),
        limits: () => site().config.monitoring,
        log,
        now,
      })
    : undefined;
  return {
    keeper,
    state: (replicas) => {
      const found = replicas.find((each) => each.keepsRecordings && each.goneSince === undefined);
      return {
        isOn: site().config.monitoring.intakeUrl === OWN_INTAKE,
        keeper: found?.name ?? null,
        isThis: keeper !== undefined,
        ...(keeper?.state() ?? { sessions: 0, bytes: 0, fault: null }),
      };
    },
    start: () => {
      if (keeper === undefined) return stopAll();
      const flush = async (): Promise<void> => {
        await keeper.flush();
        metrics.setRecordings(keeper.state());
      };
      keeper
        .rebuild()
        .catch((error: unknown) => log.error({ err: error }, 'the recordings could not be listed'));
      return stopAll(
        repeat(flush, () => FLUSH_EVERY_MS, { name: 'recordings: write', log }),
        repeat(keeper.prune, () => CHECK_ROOM_EVERY_MS, { name: 'recordings: prune', log, firstPauseMs: 0 }),
      );
    },
  };
}
