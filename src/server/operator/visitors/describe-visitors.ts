import { type CountedEvent, EVENT_NAMES } from '../../../contract/visit-events.ts';
import {
  COUNTED_PAGES,
  type Compared,
  type ControlCount,
  DEVICES,
  type NamedCount,
  VISIT_STEPS,
  VITALS,
  type VisitGroup,
  type VisitorNumbers,
  type VisitorRange,
  fromNames,
} from '../../../contract/visitors.ts';
import { CELLS, type GroupKind } from '../../visitors/cells.ts';
import { summarizeVital } from '../../visitors/vital-buckets.ts';
import { type ComparedPeriods, type VisitorSources, comparePeriods } from './compare-periods.ts';

/** Describes the numbers of a range beside those of the period before. */
export async function describeVisitors(
  range: VisitorRange,
  sources: VisitorSources,
): Promise<VisitorNumbers> {
  const { isOn, now } = sources;
  const periods = await comparePeriods(range, sources);
  const { compare, findNames } = periods;
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
    from: periods.from,
    beforeFrom: periods.beforeFrom,
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
    points: await readPoints(periods),
    pointMs: periods.pointMs,
  };
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
async function readPoints({ readTimes, pointAt }: ComparedPeriods): Promise<VisitorNumbers['points']> {
  const [views, entered] = [CELLS.step('page_view'), CELLS.step('entered')];
  const times = await readTimes([views, entered]);
  return (times.get(views) ?? []).map((count, index) => ({
    at: pointAt(index),
    views: count,
    entered: times.get(entered)?.[index] ?? 0,
  }));
}
