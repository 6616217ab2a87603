import { ANALYTICS_EVENTS } from '../../contract/page/analytics-events.ts';
import { DEVICES, type VisitEvents } from '../../contract/visit-events.ts';
import { OTHER, VISIT_STEPS, VITALS, type VisitStep, type VitalName } from '../../contract/visitors.ts';
import { isBucket, nameBucket } from './vital-buckets.ts';

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
  event: (name: string, device: string) => `event/${device}/${name}`,
  group: (kind: GroupKind, step: VisitStep, name: string) => `${kind}/${step}/${name}`,
  line: (host: string) => `line/${host}`,
  referrer: (host: string) => `referrer/${host}`,
  vital: (vital: VitalName, bucket: string) => `vital/${vital}/${bucket}`,
};

export type GroupKind = 'device' | 'language' | 'country';

/** A host without its port. Others are counted together. */
const REFERRER = /^[a-z\d.-]*$/;

/** Turns a batch into cells. What a visitor can make up (a host, a language) ends in "other". */
export function countBatch(batch: VisitEvents, { country, languages, isLine }: BatchFacts): Cells {
  const { device, steps, events, lines, vitals = {} } = batch;
  const language = languages.includes(batch.language) ? batch.language : OTHER;
  const counted = new Map<string, number>();
  const add = (cell: string, times: number): void => {
    counted.set(cell, (counted.get(cell) ?? 0) + times);
  };
  for (const step of steps) {
    add(CELLS.step(step), 1);
    add(CELLS.group('device', step, device), 1);
    add(CELLS.group('language', step, language), 1);
    add(CELLS.group('country', step, country), 1);
  }
  if (steps.includes('page_view')) {
    add(CELLS.referrer(REFERRER.test(batch.referrer) ? batch.referrer : OTHER), 1);
  }
  for (const [name, times = 0] of Object.entries(events)) add(CELLS.event(name, device), times);
  for (const [host, times] of Object.entries(lines)) add(CELLS.line(isLine(host) ? host : OTHER), times);
  for (const vital of VITALS) {
    const value = vitals[vital];
    if (value !== undefined) add(CELLS.vital(vital, nameBucket(vital, value)), 1);
  }
  return counted;
}

/** Whether a name could be one of a cell. Other programs may write to Redis and to the data folder, too. */
export function isCell(cell: string): boolean {
  const [kind = '', second = '', ...rest] = cell.split('/');
  const last = rest.join('/');
  switch (kind) {
    case 'step':
      return rest.length === 0 && isOneOf(VISIT_STEPS, second);
    case 'event':
      return isOneOf(DEVICES, second) && Object.hasOwn(ANALYTICS_EVENTS, last);
    case 'device':
    case 'language':
    case 'country':
      return isOneOf(VISIT_STEPS, second) && last.length <= MAX_NAME_CHARS;
    case 'vital':
      return isOneOf(VITALS, second) && isBucket(second, last);
    case 'line':
    case 'referrer':
      return cell.length <= MAX_NAME_CHARS;
    default:
      return false;
  }
}

const MAX_NAME_CHARS = 320;

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name);
}
