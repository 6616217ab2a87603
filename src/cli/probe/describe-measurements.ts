import { FAILED_TIME_MS } from '../../contract/limits.ts';
import { formatTable } from '../format-table.ts';
import type { Measurement } from './measure-line.ts';

/** The fastest first, what failed last. */
export function sortMeasurements(measurements: readonly Measurement[]): readonly Measurement[] {
  return measurements.toSorted((a, b) => a.time - b.time);
}

/** A table of measurements, in their order. */
export function describeMeasurements(measurements: readonly Measurement[]): readonly string[] {
  return formatTable([
    ['LINE', '', 'TIME', 'BEST', 'WORST', 'FAILED', 'ADDRESS', ''],
    ...measurements.map(({ host, role, time, best, worst, failed, runs, cause, reason, address }) => [
      host,
      role,
      time === FAILED_TIME_MS ? (cause ?? 'failed') : `${time}ms`,
      best === FAILED_TIME_MS ? '-' : `${best}ms`,
      worst === FAILED_TIME_MS ? '-' : `${worst}ms`,
      failed === 0 ? '-' : `${failed}/${runs}`,
      address,
      reason === undefined ? '' : `it ${reason}`,
    ]),
  ]);
}
