import { FAILED_TIME_MS } from '../../contract/limits.ts';
import type { SpeedResult } from '../../contract/speed-result.ts';
import type { LineReply } from '../../line/request-line.ts';
import type { SiteLine } from '../list-lines.ts';
import { findCause } from './find-cause.ts';

/** What was measured of a line. `time` is the median of its valid runs, in whole ms. */
export type Measurement = SpeedResult & {
  readonly role: string;
  readonly address: string;
  readonly best: number;
  readonly worst: number;
  readonly runs: number;
  readonly failed: number;
};

export type MeasureSettings = {
  readonly marker: string;
  readonly markerHeader: string;
  readonly runs: number;
  readonly random: () => number;
  readonly request: (address: string) => Promise<LineReply>;
  readonly onRun: (result: SpeedResult) => void;
};

/** Probes a line some times, one after the other, at an address that is drawn once, as a page draws it. */
export async function measureLine(line: SiteLine, settings: MeasureSettings): Promise<Measurement> {
  const { host, role, addresses } = line;
  const address = addresses[Math.floor(settings.random() * addresses.length)] ?? '';
  const results: SpeedResult[] = [];
  for (let run = 0; run < settings.runs; run += 1) {
    const result = toSpeedResult(host, await settings.request(address), settings);
    results.push(result);
    settings.onRun(result);
  }
  const times = results.map(({ time }) => time).filter((time) => time !== FAILED_TIME_MS);
  const failed = results.length - times.length;
  const cause = results.findLast((result) => result.cause !== undefined)?.cause;
  return {
    host,
    role,
    address,
    time: median(times),
    best: times.length === 0 ? FAILED_TIME_MS : Math.min(...times),
    worst: times.length === 0 ? FAILED_TIME_MS : Math.max(...times),
    runs: results.length,
    failed,
    ...(cause && { cause }),
  };
}

function toSpeedResult(host: string, reply: LineReply, settings: MeasureSettings): SpeedResult {
  const cause = findCause(reply, settings);
  if (cause !== undefined || reply.kind !== 'answer') {
    return { host, time: FAILED_TIME_MS, cause: cause ?? 'unreachable' };
  }
  return { host, time: Math.max(1, Math.round(reply.timeMs)) };
}

/** The lower one of an even number, which is a time that was really measured. */
function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? FAILED_TIME_MS;
}
