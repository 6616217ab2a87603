import type { IncidentKeeper } from '../incidents/create-incident-keeper.ts';
import type { MeasurementKeeper } from '../learning/keep-measurements.ts';
import type { ReplicaList } from '../lines/create-replica-list.ts';
import type { SiteRecord } from '../site/create-site-record.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import type { Steering } from '../learning/create-steering.ts';
import type { LineWatch } from '../lines/create-line-watch.ts';
import type { LineStates } from './lines/keep-line-states.ts';
import type { StepWatch } from '../process/create-step-watch.ts';
import type { Database } from '../store/database.ts';

/** Everything that the console shows. It reads, and never writes. */
export type ConsoleSources = {
  readonly site: () => Pick<PublishedSite, 'version' | 'hash' | 'config' | 'lines'>;
  readonly siteRecord: () => SiteRecord;
  readonly steering: Pick<Steering, 'areas' | 'knowledge' | 'explain' | 'draw'>;
  readonly measurements: Pick<MeasurementKeeper, 'history' | 'folds'>;
  readonly lineStates: Pick<LineStates, 'read'>;
  /** Undefined where the server does not look at the lines itself. */
  readonly lineWatch: Pick<LineWatch, 'states' | 'cutOff'> | undefined;
  readonly replicas: Pick<ReplicaList, 'replicas'>;
  readonly database: Pick<Database, 'isShared' | 'state'>;
  /** How many requests to the API were over their limit in the last hour. */
  readonly readLimited: () => number;
  readonly incidents: Pick<IncidentKeeper, 'listOpen'>;
  readonly steps: StepWatch;
  /** When this server started, in ms since 1970. */
  readonly startedAt: number;
  readonly now: () => number;
};
