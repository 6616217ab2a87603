import { Counter, Gauge, type Registry } from 'prom-client';

/** What is counted of the measurements, and of the server's own look at the lines. */
export type SteeringMetrics = {
  readonly countFold: () => void;
  readonly countSnapshot: (event: 'saved' | 'restored' | 'refused') => void;
  readonly setDatabaseUp: (isUp: boolean) => void;
  readonly countDroppedWindow: () => void;
  /** Counts a step that held the main thread for more than 20 ms, see `process/create-step-watch.ts`. */
  readonly countLongStep: (step: string) => void;
  readonly countProbe: (host: string, isValid: boolean) => void;
  readonly setLineState: (
    host: string,
    role: string,
    state: { readonly isUp: boolean; readonly hasPage: boolean },
  ) => void;
  /** Removes the metrics of a line that has left the site. */
  readonly forgetLine: (host: string, role: string) => void;
  /** Those with a label `line`. */
  readonly byLine: readonly (Counter<'line' | 'verdict'> | Gauge<'line' | 'role'>)[];
};

export function createSteeringMetrics(registry: Registry): SteeringMetrics {
  const registers = [registry];
  const folds = new Counter({
    name: 'waypost_measurement_windows_total',
    help: 'Windows of measurements that were folded into what the steering knows.',
    registers,
  });
  const snapshots = new Counter({
    name: 'waypost_measurement_snapshots_total',
    help: 'Snapshots of the measurements: saved, restored, or refused because they could not be read.',
    labelNames: ['event'],
    registers,
  });
  const databaseUp = new Gauge({
    name: 'waypost_database_up',
    help: '1 while the database answers and takes what was counted, 0 otherwise.',
    registers,
  });
  const droppedWindows = new Counter({
    name: 'waypost_measurement_counts_lost_total',
    help: 'Windows of ten seconds that were dropped because the database was away for too long.',
    registers,
  });
  const longSteps = new Counter({
    name: 'waypost_long_steps_total',
    help: 'Steps that held the main thread for more than 20 ms of processor time, so that every visitor waited, by step.',
    labelNames: ['step'],
    registers,
  });
  const probes = new Counter({
    name: 'waypost_line_probes_total',
    help: "The server's own probes of each line, by verdict.",
    labelNames: ['line', 'verdict'],
    registers,
  });
  const linesUp = new Gauge({
    name: 'waypost_line_up',
    help: "1 for a line (or a backup, see role) that the server's own probe sees up, 0 for one that it sees down.",
    labelNames: ['line', 'role'],
    registers,
  });
  const linePagesUp = new Gauge({
    name: 'waypost_line_page_up',
    help: '0 for a line (or a backup, see role) whose page, which visitors enter at /, is not there, 1 otherwise.',
    labelNames: ['line', 'role'],
    registers,
  });
  return {
    byLine: [probes, linesUp, linePagesUp],
    countFold: () => folds.inc(),
    countSnapshot: (event) => snapshots.labels(event).inc(),
    setDatabaseUp: (isUp) => databaseUp.set(isUp ? 1 : 0),
    countDroppedWindow: () => droppedWindows.inc(),
    countLongStep: (step) => longSteps.labels(step).inc(),
    countProbe: (host, isValid) => probes.labels(host, isValid ? 'valid' : 'failed').inc(),
    setLineState: (host, role, { isUp, hasPage }) => {
      linesUp.labels(host, role).set(isUp ? 1 : 0);
      linePagesUp.labels(host, role).set(hasPage ? 1 : 0);
    },
    forgetLine: (host, role) => {
      linesUp.remove(host, role);
      linePagesUp.remove(host, role);
    },
  };
}
