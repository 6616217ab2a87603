import type { Hono } from 'hono';
import { UPTIME_PATHS } from '../../../contract/paths.ts';
import {
  UPTIME_DAYS,
  type UptimeDays,
  WHOLE_SITE,
  percentOfProbes,
  percentOfVisitors,
} from '../../../contract/uptime.ts';
import { answerJson } from '../../http/answer.ts';
import { HttpError } from '../../http/errors.ts';
import type { UptimeQuestion } from '../../uptime/create-uptime-store.ts';
import { type CallsDeps, LOOK, createCalls } from '../access/create-calls.ts';
import type { OperatorEnv } from '../access/operator-request.ts';
import { type TableValue, answerTable, writeRows } from '../answer-table.ts';
import { type UptimeSources, describeUptime, findPeriod, questionOf } from './describe-uptime.ts';

const COLUMNS = [
  'time',
  'line',
  'visitors_percent',
  'probe_percent',
  'served_minutes',
  'left_out_minutes',
  'known_minutes',
  'visits',
  'got_in',
  'probed_minutes',
];
/** A table of a year and 1,000 lines is written in parts of this many days or hours, so that nobody waits for it. */
const PART = 12;

/** The calls of the console about how often visitors got in. */
export function addUptimeRoutes(app: Hono<OperatorEnv>, deps: CallsDeps & UptimeSources): void {
  const { uptime, now } = deps;
  const { get } = createCalls(app, deps);
  get(UPTIME_PATHS.numbers, LOOK, async (_call, c) => {
    const line = c.req.query('line') ?? WHOLE_SITE;
    return answerJson(await describeUptime({ days: readDays(c.req.query('days')), line }, deps));
  });
  get(UPTIME_PATHS.table, LOOK, (_call, c) => {
    const days = readDays(c.req.query('days'));
    return answerTable(writeParts(questionOf(findPeriod(days, now()))), `history-${days}`);
  });
  get(UPTIME_PATHS.incidents, LOOK, async (_call, c) => {
    const days = readDays(c.req.query('days'));
    const incidents = await uptime.store.readIncidents(findPeriod(days, now()).from);
    const rows = incidents.map(
      ({ startedAt, endedAt, kind, severity, subject, lines, noticedAt, takenAt }): readonly TableValue[] => [
        writeTime(startedAt),
        endedAt === null ? null : writeTime(endedAt),
        kind,
        severity,
        subject,
        lines.join(' '),
        endedAt === null ? null : toSeconds(endedAt - startedAt),
        takenAt === null ? null : toSeconds(takenAt - noticedAt),
      ],
    );
    const head = ['start', 'end', 'kind', 'severity', 'about', 'lines', 'seconds', 'seconds_until_taken'];
    return answerTable(writeRows([head, ...rows]), `history-incidents-${days}`);
  });

  async function* writeParts({ by, first, last }: UptimeQuestion): AsyncGenerator<Uint8Array> {
    yield Buffer.from(writeRows([COLUMNS]));
    for (let from = first; from <= last; from += PART) {
      const rows = await uptime.store.readTable({ by, first: from, last: Math.min(last, from + PART - 1) });
      if (rows.length === 0) continue;
      yield Buffer.from(
        writeRows(
          rows.map(({ at, line, sums }): readonly TableValue[] => [
            writeTime(at),
            line,
            percentOfVisitors(sums) ?? null,
            percentOfProbes(sums) ?? null,
            sums.served,
            sums.leftOut,
            sums.known,
            sums.visits,
            sums.gotIn,
            sums.probed,
          ]),
        ),
      );
    }
  }
}

function readDays(text = '7'): UptimeDays {
  const days = UPTIME_DAYS.find((each) => String(each) === text);
  if (days !== undefined) return days;
  throw new HttpError(400, {
    code: 'range-invalid',
    message: `A period has one of ${UPTIME_DAYS.join(', ')} days.`,
  });
}

function writeTime(at: number): string {
  return new Date(at).toISOString();
}

function toSeconds(ms: number): number {
  return Math.round(ms / 1_000);
}
