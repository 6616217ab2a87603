import { FAILED_TIME_MS } from '../../contract/limits.ts';
import type { SpeedResult } from '../../contract/api/speed-result.ts';
import { describeFault } from '../../contract/line/describe-fault.ts';
import type { HealthFault } from '../../contract/line/line-fault.ts';
import type { LineReply } from '../../contract/line/line-reply.ts';
import { type Expectation, judgeReply } from '../../engine/line/judge-reply.ts';
import type { ListedLine } from '../../server/lines/check/list-lines.ts';

/** The measurement of a line. `time` is the median of its valid runs, in whole ms. */
export type Measurement = SpeedResult & {
  readonly role: string;
  readonly address: string;
  readonly best: number;
  readonly worst: number;
  readonly runs: number;
  readonly failed: number;
  /** Why the last failed run failed. Completes the sentence "it …". */
  readonly reason?: string;
};

type Run = SpeedResult & Pick<Measurement, 'reason'>;

export type MeasureSettings = Expectation & {
  readonly runs: number;
  readonly random: () => number;
  readonly request: (address: string) => Promise<LineReply>;
  /** Asks the application behind the line, as `lines.health` says. */
  readonly askApplication: ((address: string) => Promise<HealthFault | undefined>) | undefined;
  readonly onRun: (result: SpeedResult) => void;
};

/** Probes a line several times at one of its addresses, drawn at random. */
export async function measureLine(line: ListedLine, settings: MeasureSettings): Promise<Measurement> {
  const { host, role, addresses } = line;
  const address = addresses[Math.floor(settings.random() * addresses.length)] ?? '';
  const results: Run[] = [];
  for (let run = 0; run < settings.runs; run += 1) {
    const reply = await settings.request(address);
    const result = judgeRun({ host, address, reply }, settings);
    results.push(result);
    settings.onRun(result);
  }
  const times = results.map(({ time }) => time).filter((time) => time !== FAILED_TIME_MS);
  const failed = results.length - times.length;
  const { cause, reason } = results.findLast((result) => result.cause !== undefined) ?? {};
  const fault = times.length > 0 ? await settings.askApplication?.(address) : undefined;
  const reasons = [reason, fault && describeFault(fault, 'en').problem].filter((each) => each !== undefined);
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
    ...(reasons.length > 0 && { reason: reasons.join(', ') }),
  };
}

function judgeRun(
  { host, address, reply }: { readonly host: string; readonly address: string; readonly reply: LineReply },
  settings: MeasureSettings,
): Run {
  const { cause, faults } = judgeReply(address, reply, settings);
  if (cause === undefined && reply.kind === 'answer') {
    return { host, time: Math.max(1, Math.round(reply.timeMs)) };
  }
  const reasons = faults.map((fault) => describeFault(fault, 'en').problem);
  return { host, time: FAILED_TIME_MS, cause: cause ?? 'unreachable', reason: reasons.join(', ') };
}

/** The lower of the two middle values, so that the median is a measured time. */
function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? FAILED_TIME_MS;
}
