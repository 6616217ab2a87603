import { DAY_MS, HOUR_MS } from '../../../contract/time-units.ts';
import { type CountedEvent, EVENT_NAMES } from '../../../contract/visit-events.ts';
import {
  COUNTED_PAGES,
  type Compared,
  type ControlCount,
  DEVICES,
  type NamedCount,
  VISITOR_RANGES,
  VISIT_STEPS,
  VITALS,
  type VisitGroup,
  type VisitorNumbers,
  type VisitorPoint,
  type VisitorRange,
} from '../../../contract/visitors.ts';
import { CELLS, type Cells, type GroupKind } from '../../visitors/cells.ts';
import { type VisitKeeper, dayOfHour } from '../../visitors/keep-visits.ts';
import { summarizeVital } from '../../visitors/vital-buckets.ts';

export type VisitorSources = {
  readonly visits: Pick<VisitKeeper, 'readSums' | 'readTimes'>;
  readonly isOn: boolean;
  readonly now: number;
};

/** What was counted in a stretch of time. */
type Period = { readonly from: number; readonly sums: Cells };

const DAY_HOURS = 24;
/** Longer ones are shown by day. */
const MAX_POINTS = 7 * DAY_HOURS;

/**
 * Describes the numbers of a range, up to the hour that is running. The period before it has as many days, and ends with
 * the same hour of the day.
 */
export async function describeVisitors(
  range: VisitorRange,
  { visits, isOn, now }: VisitorSources,
): Promise<VisitorNumbers> {
  const days = VISITOR_RANGES[range];
  const hour = Math.floor(now / HOUR_MS);
  const current = await readPeriod(visits, days, hour);
  const earlier = await readPeriod(visits, days, hour - days * DAY_HOURS);
  const compare = (cell: string): Compared => ({
    now: current.sums.get(cell) ?? 0,
    before: earlier.sums.get(cell) ?? 0,
  });
  const findNames = (prefix: string): readonly string[] => {
    const cells = [...new Set([...current.sums.keys(), ...earlier.sums.keys()])];
    return cells.filter((cell) => cell.startsWith(prefix)).map((cell) => cell.slice(prefix.length));
  };
  const listNames = (prefix: string): readonly NamedCount[] =>
    findNames(prefix)
      .map((name) => nameCount(name, compare(`${prefix}${name}`)))
      .toSorted((one, other) => other.now - one.now || other.before - one.before);
  const listGroups = (kind: GroupKind): readonly VisitGroup[] => {
    const names = VISIT_STEPS.flatMap((step) => findNames(CELLS.group(kind, step, '')));
    return [...new Set(names)]
      .map((name) => ({
        name,
        views: compare(CELLS.group(kind, 'page_view', name)),
        entered: compare(CELLS.group(kind, 'entered', name)),
      }))
      .toSorted((one, other) => other.views.now - one.views.now || other.views.before - one.views.before);
  };
  return {
    at: now,
    isOn,
    range,
    from: current.from,
    beforeFrom: earlier.from,
    steps: fromNames(VISIT_STEPS, (step) => compare(CELLS.step(step))),
    pages: [
      nameCount('/', compare(CELLS.step('page_view'))),
      ...COUNTED_PAGES.map((page) => nameCount(page, compare(CELLS.page(page)))),
    ],
    controls: EVENT_NAMES.map((name) => describeControl(name, compare, listNames)),
    lines: listNames(CELLS.line('')),
    referrers: listNames(CELLS.referrer('')),
    countries: listGroups('country'),
    languages: listGroups('language'),
    devices: listGroups('device'),
    vitals: fromNames(VITALS, (vital) => ({
      now: summarizeVital(vital, (bucket) => compare(CELLS.vital(vital, bucket)).now),
      before: summarizeVital(vital, (bucket) => compare(CELLS.vital(vital, bucket)).before),
    })),
    points: await readPoints(visits, days, hour),
    pointMs: isByDay(days) ? DAY_MS : HOUR_MS,
  };
}

/** Reads several days: the last one up to the given hour. */
async function readPeriod(visits: VisitorSources['visits'], days: number, lastHour: number): Promise<Period> {
  const firstDay = dayOfHour(lastHour) - days + 1;
  return { from: firstDay * DAY_MS, sums: await visits.readSums(firstDay, lastHour) };
}

function nameCount(name: string, { now, before }: Compared): NamedCount {
  return { name, now, before };
}

function describeControl(
  name: CountedEvent,
  compare: (cell: string) => Compared,
  listNames: (prefix: string) => readonly NamedCount[],
): ControlCount {
  const counts = DEVICES.map((device) => compare(CELLS.event(name, device)));
  return {
    name,
    now: counts.reduce((sum, { now }) => sum + now, 0),
    before: counts.reduce((sum, { before }) => sum + before, 0),
    mobile: compare(CELLS.event(name, 'mobile')).now,
    languages: listNames(CELLS.eventGroup('language', name, '')),
    countries: listNames(CELLS.eventGroup('country', name, '')),
  };
}

/** The views of each hour, or of each day of a long period. */
async function readPoints(
  visits: VisitorSources['visits'],
  days: number,
  lastHour: number,
): Promise<readonly VisitorPoint[]> {
  const [views, entered] = [CELLS.step('page_view'), CELLS.step('entered')];
  const firstDay = dayOfHour(lastHour) - days + 1;
  const [by, first, last, pointMs] = isByDay(days)
    ? (['day', firstDay, dayOfHour(lastHour), DAY_MS] as const)
    : (['hour', firstDay * DAY_HOURS, lastHour, HOUR_MS] as const);
  const times = await visits.readTimes({ by, first, last, cells: [views, entered] });
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const cells = times.get(first + index);
    return {
      at: (first + index) * pointMs,
      views: cells?.get(views) ?? 0,
      entered: cells?.get(entered) ?? 0,
    };
  });
}

function isByDay(days: number): boolean {
  return days * DAY_HOURS > MAX_POINTS;
}

function fromNames<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Readonly<Record<Name, Value>> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}
