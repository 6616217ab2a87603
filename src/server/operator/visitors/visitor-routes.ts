import type { Hono } from 'hono';
import { VISITOR_PATHS } from '../../../contract/paths.ts';
import {
  VISITOR_RANGES,
  type VisitGroup,
  type VisitorNumbers,
  type VisitorRange,
} from '../../../contract/visitors.ts';
import { answerJson } from '../../http/answer.ts';
import { HttpError } from '../../http/errors.ts';
import type { OperatorContext, OperatorEnv } from '../access/operator-request.ts';
import type { PublishedSite } from '../../site/publish-site.ts';
import type { VisitKeeper } from '../../visitors/keep-visits.ts';
import { type CallsDeps, createCalls, LOOK } from '../access/create-calls.ts';
import { type TableValue, answerTable, writeRows } from '../answer-table.ts';
import { describeVisitors } from './describe-visitors.ts';

export type VisitorRoutesDeps = CallsDeps & {
  readonly visits: Pick<VisitKeeper, 'readSums' | 'readTimes'>;
  readonly site: () => Pick<PublishedSite, 'config'>;
  readonly now: () => number;
};

/** The calls of the console about the numbers of visits. */
export function addVisitorRoutes(app: Hono<OperatorEnv>, deps: VisitorRoutesDeps): void {
  const { visits, site, now } = deps;
  const { get } = createCalls(app, deps);
  get(VISITOR_PATHS.numbers, LOOK, async (_call, c) => answerJson(await describe(c)));
  get(VISITOR_PATHS.table, LOOK, async (_call, c) => {
    const numbers = await describe(c);
    return answerTable(writeTable(numbers), `visitors-${numbers.range}`);
  });

  function describe(c: OperatorContext): Promise<VisitorNumbers> {
    const isOn = site().config.analytics.counts === 'self';
    return describeVisitors(readRange(c.req.query('range')), { visits, isOn, now: now() });
  }
}

export function readRange(range = 'today'): VisitorRange {
  if (Object.hasOwn(VISITOR_RANGES, range)) return range as VisitorRange;
  throw new HttpError(400, {
    code: 'range-invalid',
    message: `A range is one of ${Object.keys(VISITOR_RANGES).join(', ')}.`,
  });
}

/** Writes all numbers as one table (RFC 4180): what is counted, its name, its measure, the period and the one before. */
export function writeTable(numbers: VisitorNumbers): string {
  const { steps, pages, controls, lines, referrers, countries, languages, devices, vitals, points } = numbers;
  const rows: (readonly TableValue[])[] = [
    ['part', 'name', 'measure', 'now', 'before'],
    ...Object.entries(steps).map(([step, { now, before }]) => ['step', step, 'times', now, before]),
    ...pages.map(({ name, now, before }) => ['page', name, 'page_view', now, before]),
    ...controls.flatMap(listControl),
    ...lines.map(({ name, now, before }) => ['line', name, 'entered', now, before]),
    ...referrers.map(({ name, now, before }) => ['referrer', name, 'page_view', now, before]),
    ...Object.entries({ country: countries, language: languages, device: devices }).flatMap(listGroup),
    ...Object.entries(vitals).flatMap(([name, { now, before }]) =>
      (['count', 'p75', 'good', 'poor'] as const).map((key) => ['vital', name, key, now[key], before[key]]),
    ),
    ...points.flatMap(({ at, views, entered }) => [
      ['time', new Date(at).toISOString(), 'page_view', views, null],
      ['time', new Date(at).toISOString(), 'entered', entered, null],
    ]),
  ];
  return writeRows(rows);
}

function listControl(control: VisitorNumbers['controls'][number]): readonly (readonly TableValue[])[] {
  const { name, now, before, mobile, languages, countries } = control;
  const places = Object.entries({ language: languages, country: countries }).flatMap(([part, counts]) =>
    counts.map((count) => ['event', name, `${part} ${count.name}`, count.now, count.before]),
  );
  return [['event', name, 'times', now, before], ['event', name, 'on_phones', mobile, null], ...places];
}

function listGroup([part, groups]: [string, readonly VisitGroup[]]): readonly (readonly TableValue[])[] {
  return groups.flatMap(({ name, views, entered }) => [
    [part, name, 'page_view', views.now, views.before],
    [part, name, 'entered', entered.now, entered.before],
  ]);
}
