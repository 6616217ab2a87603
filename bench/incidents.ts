import type { Bench, Claim } from './claim.ts';
import { type Day, simulateDay } from './incidents/simulate-day.ts';
import type { FoundOutage, OutageKind } from './incidents/track-outages.ts';
import { median } from './statistics.ts';

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);
const DAY = { hours: 24, lines: 40, visitorsPerHour: 20_000 };
const MAX_NOTICE_S = 90;
const KINDS: Readonly<Record<OutageKind, string>> = {
  host: 'a line that is down for everyone',
  country: 'a line that is lost in a country',
  network: 'a line that is lost in one network',
};

/** Our incidents in the steering's simulated world, in which 1.5 % of all probes fail for no reason. */
export const incidents: Bench = {
  title: `incidents of a simulated day, seeds 1 to ${SEEDS.length}: ${DAY.lines} lines, ${DAY.visitorsPerHour.toLocaleString('en')} visitors an hour`,
  async run() {
    const days = SEEDS.map((seed) => simulateDay({ seed, ...DAY }));
    const sum = (count: (day: Day) => number): number => days.reduce((total, day) => total + count(day), 0);
    const outages = sum((day) => day.outages);
    const found = days.flatMap((day) => day.found);
    const wrong = sum((day) => day.falseIncidents);
    const down = found.filter(({ kind }) => kind === 'host');
    const noticeS = median(down.map(({ noticeMs }) => noticeMs)) / 1_000;
    const weak = days.flatMap(({ weakNoticeMs }) => weakNoticeMs ?? []);
    return [
      {
        what: 'outages of 5 minutes or more that at least 12 visitors met: found',
        measured: `${found.length} of ${outages}`,
        bound: { text: 'all', isMet: found.length === outages },
      },
      {
        what: 'incidents about what was not out',
        measured: `${wrong} of ${sum((day) => day.incidents)}`,
        bound: { text: 'none', isMet: wrong === 0 },
      },
      {
        what: 'a line that is down for everyone: from the beginning to the incident, median',
        measured: `${noticeS.toFixed(0)} s`,
        bound: { text: `≤ ${MAX_NOTICE_S} s`, isMet: noticeS <= MAX_NOTICE_S },
      },
      describeNotice('all outages', found),
      ...Object.entries(KINDS).map(([kind, what]) =>
        describeNotice(
          what,
          found.filter((outage) => outage.kind === kind),
        ),
      ),
      {
        what: 'a line that 20 % of all visitors lose: days on which it became an incident',
        measured: `${weak.length} of ${days.length}, after ${(median(weak) / 60_000).toFixed(0)} min (median)`,
        bound: { text: 'all', isMet: weak.length === days.length },
      },
    ];
  },
};

/**
 * Nobody can notice an outage before visitors have met it, and many of these leave before their page can tell. So this says
 * how long it takes from the first visitor on, and for comparison until four visitors have met it and four pages have told of it.
 */
function describeNotice(what: string, found: readonly FoundOutage[]): Claim {
  const medianOf = (read: (outage: FoundOutage) => number): string => median(found.map(read)).toFixed(0);
  return {
    what: `${what} (${found.length}): from the first visitor who met it to the incident, median`,
    measured: [
      `${medianOf(({ noticeAfterMetMs }) => noticeAfterMetMs / 1_000)} s`,
      `four visitors had met it after ${medianOf(({ fourMetMs }) => fourMetMs / 1_000)} s`,
      `four pages had told of it after ${medianOf(({ fourToldMs }) => fourToldMs / 1_000)} s`,
      `at the incident ${medianOf(({ met }) => met)} visitors had met it, and ${medianOf(({ told }) => told)} pages had told`,
      `${medianOf(({ noticeMs }) => noticeMs / 1_000)} s after its beginning`,
    ].join('; '),
  };
}
