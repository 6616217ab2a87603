import { HOUR_MS } from '../../../contract/limits.ts';
import { type CountedEvent, DEVICES, EVENT_NAMES } from '../../../contract/visit-events.ts';
import {
  COUNTED_PAGES,
  type Compared,
  type ControlCount,
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
import type { VisitKeeper } from '../../visitors/keep-visits.ts';
import { dayOfHour } from '../../visitors/visit-ledger.ts';
import { summarizeVital } from '../../visitors/vital-buckets.ts';

export type VisitorSources = {
  readonly visits: Pick<VisitKeeper, 'readDay'>;
  readonly isOn: boolean;
  readonly now: number;
};

/** What was counted in a stretch of time. */
type Period = { readonly from: number; readonly sums: Cells; readonly hours: ReadonlyMap<number, Cells> };

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
  const pointHours = days * DAY_HOURS > MAX_POINTS ? DAY_HOURS : 1;
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
    points: listPoints(current, pointHours),
    pointMs: pointHours * HOUR_MS,
  };
}

/** Reads so many days: the last one up to the given hour. */
async function readPeriod(visits: VisitorSources['visits'], days: number, lastHour: number): Promise<Period> {
  const lastDay = dayOfHour(lastHour);
  const firstHour = (lastDay - days + 1) * DAY_HOURS;
  const hours = new Map<number, Cells>();
  const sums = new Map<string, number>();
  for (let day = lastDay - days + 1; day <= lastDay; day += 1) {
    for (const [hour, cells] of await visits.readDay(day)) {
      if (hour > lastHour) continue;
      hours.set(hour, cells);
      for (const [cell, count] of cells) sums.set(cell, (sums.get(cell) ?? 0) + count);
    }
  }
  return { from: firstHour * HOUR_MS, sums, hours };
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

function listPoints({ from, hours }: Period, pointHours: number): readonly VisitorPoint[] {
  const points = new Map<number, VisitorPoint>();
  for (const [hour, cells] of hours) {
    const at = Math.floor((hour * HOUR_MS - from) / (pointHours * HOUR_MS)) * pointHours * HOUR_MS + from;
    const point = points.get(at) ?? { at, views: 0, entered: 0 };
    points.set(at, {
      at,
      views: point.views + (cells.get(CELLS.step('page_view')) ?? 0),
      entered: point.entered + (cells.get(CELLS.step('entered')) ?? 0),
    });
  }
  return [...points.values()].toSorted((one, other) => one.at - other.at);
}

function fromNames<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Readonly<Record<Name, Value>> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}
