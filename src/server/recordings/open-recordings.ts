import { access } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { RecordingsState } from '../../contract/recordings.ts';
import { OWN_INTAKE } from '../../contract/site/site-config.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { repeat, stopAll } from '../process/repeat.ts';
import type { Service } from '../process/run-services.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import type { Database } from '../store/database.ts';
import { findRecordingsFile } from '../store/open-database.ts';
import { type RecordingKeeper, keepRecordings } from './keep-recordings.ts';

export type OpenRecordingsOptions = {
  readonly dataDir: string;
  readonly database: Database;
  readonly site: () => Pick<PublishedSite, 'config'>;
  readonly metrics: Pick<Metrics, 'setRecordings'>;
  readonly log: Logger;
  readonly now: () => number;
};

export type OpenedRecordings = Service & {
  readonly keeper: RecordingKeeper;
  /** Whether anything is recorded, and how much room it uses. */
  readonly state: () => RecordingsState;
};

/** A process that is killed loses what it has not written: at most the last second. */
const FLUSH_EVERY_MS = 250;
const REFRESH_EVERY_MS = 1_000;
/** How late it may be noticed that there is too much. */
const CHECK_ROOM_EVERY_MS = 10_000;

/** Opens the recordings. Nothing is read or written yet. */
export function openRecordings(options: OpenRecordingsOptions): OpenedRecordings {
  const { dataDir, database, site, metrics, log, now } = options;
  const keeper = keepRecordings({ database, limits: () => site().config.monitoring, log, now });
  const isOn = (): boolean => site().config.monitoring.intakeUrl === OWN_INTAKE;
  // Where nothing was ever recorded, no file is made, and no thread starts.
  const isUsed = async (): Promise<boolean> =>
    isOn() || database.isShared || isThere(findRecordingsFile(dataDir));
  const flush = async (): Promise<void> => {
    await keeper.flush();
    metrics.setRecordings(keeper.state());
  };
  return {
    keeper,
    state: () => ({ isOn: isOn(), ...keeper.state() }),
    start: () =>
      stopAll(
        repeat(flush, () => FLUSH_EVERY_MS, { name: 'recordings: write', log }),
        repeat(ifUsed(keeper.refresh), () => REFRESH_EVERY_MS, {
          name: 'recordings: refresh',
          log,
          firstPauseMs: 0,
        }),
        repeat(ifUsed(keeper.prune), () => CHECK_ROOM_EVERY_MS, {
          name: 'recordings: prune',
          log,
          firstPauseMs: 0,
        }),
      ),
    close: keeper.flush,
  };

  function ifUsed(job: () => Promise<void>): () => Promise<void> {
    return async () => {
      if (await isUsed()) await job();
    };
  }
}

/** The disk may hang, and the main thread must not wait for it. */
function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
