import type { Handler, MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import { REPORT_MAX_BYTES } from '../../contract/limits.ts';
import { type MeasurementReport, measurementReportSchema } from '../../contract/api/measurement-report.ts';
import { answerTaken } from '../http/answer.ts';
import { HttpError } from '../http/errors.ts';
import { limitBody } from '../http/limit-body.ts';
import type { RateLimiter } from '../http/create-rate-limiter.ts';
import type { MeasurementKeeper } from '../learning/keep-measurements.ts';
import type { HeldLines } from './create-held-lines.ts';
import type { SpentTickets } from './create-spent-tickets.ts';
import type { Tickets } from './create-tickets.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { LineTable } from '../site/create-line-table.ts';
import { networkIn } from '../learning/area.ts';
import { findNetwork } from './find-place.ts';
import type { VisitContext, VisitEnv } from './visit.ts';

export type MeasurementsDeps = {
  readonly tickets: Tickets;
  readonly spentTickets: SpentTickets;
  /** How many reports of one prefix count. */
  readonly reportLimiter: RateLimiter;
  readonly heldLines: Pick<HeldLines, 'write'>;
  readonly measurements: Pick<MeasurementKeeper, 'countReport'>;
  readonly metrics: Pick<Metrics, 'countVerdict' | 'countResult' | 'countMoved'>;
};

const REASONS = {
  'report-too-large': `A report has at most ${REPORT_MAX_BYTES} bytes.`,
  'report-invalid':
    'The report is not of the form { ticket, results: [{ index, outcome, time }], entered, left? }.',
  'ticket-invalid': 'The ticket was not issued by this server.',
  'ticket-expired': 'The ticket is too old.',
  'ticket-spent': 'The ticket was used before.',
  'index-unknown': 'The report names a line that its ticket does not, or one line twice.',
} as const;

type Reason = keyof typeof REASONS;

type Verdict = 'accepted' | 'other-network' | 'network-limit';

/** Takes what a page measured, once for each ticket, and counts it by line. */
export function answerMeasurements(
  deps: MeasurementsDeps,
): readonly [limitBody: MiddlewareHandler, answer: Handler<VisitEnv>] {
  const { tickets, spentTickets, reportLimiter, heldLines, measurements, metrics } = deps;
  return [
    limitBody(REPORT_MAX_BYTES, () => refuse('report-too-large')),
    async (c) => {
      const visit = c.get('visit');
      const { site, caller } = visit;
      const report = (await readReport(c)) ?? refuse('report-invalid');
      const reading = tickets.read(report.ticket);
      if (reading.kind === 'refused') refuse(reading.reason);
      const { area, prefix, lineIds } = reading.ticket;
      if (!fitsTicket(report, lineIds)) refuse('index-unknown');
      if (!spentTickets.spend(reading.signature)) refuse('ticket-spent');
      const verdict = judgeReport(findNetwork(caller.address, site) === networkIn(area), prefix);
      metrics.countVerdict(verdict);
      if (verdict === 'accepted') {
        measurements.countReport({ ...report, area, prefix, lineIds, stayedMs: reading.ageMs });
        countResults(report, lineIds, site.lines, metrics);
      }
      const cookie = report.entered === null ? undefined : heldLines.write(visit, lineIds[report.entered]);
      return answerTaken({
        ...c.get('apiHeaders'),
        ...(cookie === undefined ? {} : { 'Set-Cookie': cookie }),
      });
    },
  ];

  function refuse(code: Reason): never {
    metrics.countVerdict(code);
    throw new HttpError(400, { code, message: REASONS[code] });
  }

  /**
   * Whether a valid report counts. The page gets the same answer either way: a visitor may have changed from Wi-Fi to a
   * carrier, and somebody who forges reports must learn nothing.
   */
  function judgeReport(isFromSameNetwork: boolean, prefix: string): Verdict {
    if (!isFromSameNetwork) return 'other-network';
    return reportLimiter.consume(prefix).isAllowed ? 'accepted' : 'network-limit';
  }
}

async function readReport(c: VisitContext): Promise<MeasurementReport | undefined> {
  try {
    return v.parse(measurementReportSchema, await c.req.json(), { abortEarly: true });
  } catch {
    return undefined; // Not JSON, not a report, or incomplete: all have the same reason.
  }
}

function fitsTicket({ results, entered, left }: MeasurementReport, lineIds: readonly string[]): boolean {
  const named = results.map(({ index }) => index);
  const isKnown = (index: number): boolean => index < lineIds.length;
  return (
    new Set(named).size === named.length &&
    named.every(isKnown) &&
    (entered === null || isKnown(entered)) &&
    (left === undefined || isKnown(left))
  );
}

function countResults(
  { results, left }: MeasurementReport,
  lineIds: readonly string[],
  { byId }: LineTable,
  metrics: MeasurementsDeps['metrics'],
): void {
  for (const { index, outcome } of results) {
    // A line that has left the site folder since is no longer counted.
    const line = byId.get(lineIds[index] ?? '');
    if (line !== undefined) metrics.countResult(line.host, outcome);
  }
  const leftLine = left === undefined ? undefined : byId.get(lineIds[left] ?? '');
  if (leftLine !== undefined) metrics.countMoved(leftLine.host);
}
