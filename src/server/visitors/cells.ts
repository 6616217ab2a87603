import type { PageView, VisitEvents } from '../../contract/visit-events.ts';
import { type CountedPage, OTHER, VITALS, type VisitStep, type VitalName } from '../../contract/visitors.ts';
import { addCount } from '../learning/counts.ts';
import { nameBucket } from './vital-buckets.ts';

/** What is counted, by its name, such as `country/entered/SG` or `line/line1.example`. */
export type Cells = ReadonlyMap<string, number>;

/** What the server adds to a batch, and what it believes of it. */
export type BatchFacts = {
  /** Two letters. Empty if unknown. */
  readonly country: string;
  readonly languages: readonly string[];
  readonly isLine: (host: string) => boolean;
};

/** The names of all cells. The part that has no fixed form stands at the end. */
export const CELLS = {
  step: (step: VisitStep) => `step/${step}`,
  page: (page: CountedPage) => `page${page}`,
  event: (name: string, device: string) => `event/${device}/${name}`,
  /** Events by language and by country, too: one property at a time, as all that is counted. */
  eventGroup: (kind: 'language' | 'country', event: string, name: string) => `event-${kind}/${event}/${name}`,
  group: (kind: GroupKind, step: VisitStep, name: string) => `${kind}/${step}/${name}`,
  line: (host: string) => `line/${host}`,
  referrer: (host: string) => `referrer/${host}`,
  vital: (vital: VitalName, bucket: string) => `vital/${vital}/${bucket}`,
};

export type GroupKind = 'device' | 'language' | 'country';

/** What a keeper counts, and where it is kept. */
export type Numbers = {
  /** The tables are `visit_hours` and `visit_days`, for example. */
  readonly table: 'visit' | 'campaign' | 'call';
  readonly keptDays: number;
  /** The part of a cell that a visitor can make up, such as the name of a referrer. Undefined for other cells. */
  readonly findMadeUp: (cell: string) => string | undefined;
  /** A pattern (SQL) that finds a cell of each name that was made up. */
  readonly madeUpLike: string;
  /** At most this many names of a day are counted. */
  readonly mostMadeUp: number;
  /** The cell that counts all names beyond. */
  readonly asOther: (cell: string) => string;
};

/** How long most numbers are kept. */
export const KEPT_DAYS = 400;

/** Where these cells are kept. Visitors can make referrers up, so at most 200 of a day count by name. */
export const VISIT_NUMBERS: Numbers = {
  table: 'visit',
  keptDays: KEPT_DAYS,
  findMadeUp: (cell) => (cell.startsWith(CELLS.referrer('')) ? cell : undefined),
  madeUpLike: `${CELLS.referrer('')}%`,
  mostMadeUp: 200,
  asOther: () => CELLS.referrer(OTHER),
};

/** A host without its port. Others are counted together. */
const REFERRER = /^[a-z\d.-]{0,253}$/;

/** Turns a batch into cells. What a visitor can make up (a host, a language) ends in "other". */
export function countBatch(batch: VisitEvents | PageView, { country, languages, isLine }: BatchFacts): Cells {
  if ('page' in batch) return new Map([[CELLS.page(batch.page), 1]]);
  const { device, steps, events, lines, vitals = {} } = batch;
  const language = languages.includes(batch.language) ? batch.language : OTHER;
  const counted = new Map<string, number>();
  const add = (cell: string, times: number): void => addCount(counted, cell, times);
  for (const step of steps) {
    add(CELLS.step(step), 1);
    add(CELLS.group('device', step, device), 1);
    add(CELLS.group('language', step, language), 1);
    add(CELLS.group('country', step, country), 1);
  }
  if (steps.includes('page_view')) {
    add(CELLS.referrer(REFERRER.test(batch.referrer) ? batch.referrer : OTHER), 1);
  }
  for (const [name, times = 0] of Object.entries(events)) {
    add(CELLS.event(name, device), times);
    add(CELLS.eventGroup('language', name, language), times);
    add(CELLS.eventGroup('country', name, country), times);
  }
  for (const [host, times] of Object.entries(lines)) add(CELLS.line(isLine(host) ? host : OTHER), times);
  for (const vital of VITALS) {
    const value = vitals[vital];
    if (value !== undefined) add(CELLS.vital(vital, nameBucket(vital, value)), 1);
  }
  return counted;
}
