import type { Bench, Claim } from './claim.ts';
import { type Day, type OutageKind, simulateDay } from './incidents/simulate-day.ts';
import { median } from './statistics.ts';

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);
const DAY = { hours: 24, lines: 40, visitorsPerHour: 20_000 };
const MAX_NOTICE_S = 90;

/** Our incidents in the steering's simulated world, in which 1.5 % of all probes fail for no reason. */
export const incidents: Bench = {
  title: `incidents of a simulated day, seeds 1 to ${SEEDS.length}: ${DAY.lines} lines, ${DAY.visitorsPerHour.toLocaleString('en')} visitors an hour`,
  async run() {
    const days = SEEDS.map((seed) => simulateDay({ seed, ...DAY }));
    const sum = (count: (day: Day) => number): number => days.reduce((total, day) => total + count(day), 0);
    const [outages, found] = [sum((day) => day.outages), sum((day) => day.found)];
    const wrong = sum((day) => day.falseIncidents);
    return [
      {
        what: 'outages of 5 minutes or more that at least 12 visitors told of: found',
        measured: `${found} of ${outages}`,
        bound: { text: 'all', isMet: found === outages },
      },
      {
        what: 'incidents about what was not out',
        measured: `${wrong} of ${sum((day) => day.incidents)}`,
        bound: { text: 'none', isMet: wrong === 0 },
      },
      claimNotice(days, 'host', 'a line that is down for everyone', MAX_NOTICE_S),
      claimNotice(days, 'country', 'a line that is lost in a country'),
      claimNotice(days, 'network', 'a line that is lost in one network'),
    ];
  },
};

/** Where few visitors come, and most of them leave before their probe has failed, it takes as long as it takes. */
function claimNotice(days: readonly Day[], kind: OutageKind, what: string, maxSeconds?: number): Claim {
  const seconds = median(days.flatMap((day) => day.noticeMs[kind])) / 1_000;
  const claim = {
    what: `${what}: from the first visitor who met it to the incident, median`,
    measured: `${seconds.toFixed(0)} s`,
  };
  if (maxSeconds === undefined) return claim;
  return { ...claim, bound: { text: `≤ ${maxSeconds} s`, isMet: seconds <= maxSeconds } };
}
