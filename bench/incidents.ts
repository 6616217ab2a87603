import type { Bench, Claim } from './claim.ts';
import { simulateDays } from './incidents/simulate-days.ts';
import type { MetOutage, OutageKind } from './incidents/track-outages.ts';
import { median } from './statistics.ts';

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);
const DAY = { hours: 24, lines: 40, visitorsPerHour: 20_000 };
/** `track-outages.ts` leaves out what fewer visitors met. */
const MIN_MET = 12;
const MIN_TOLD = 12;
const MAX_NOTICE_S = 90;
const KINDS: Readonly<Record<OutageKind, string>> = {
  host: 'a line that is down for everyone',
  country: 'a line that is lost in a country',
  network: 'a line that is lost in one network',
};

/** Our incidents in the steering's simulated world, in which 1.5 % of all probes fail for no reason. */
export const incidents: Bench = {
  title: `incidents of a simulated day, seeds 1 to ${SEEDS.length}: ${DAY.lines} lines, ${DAY.visitorsPerHour.toLocaleString('en')} visitors an hour`,
  /** `--only 3,7` simulates only the days of these seeds: a day takes some minutes. */
  async run({ only }) {
    const wanted = only?.split(',').map(Number);
    const days = await simulateDays(wanted ?? SEEDS, DAY);
    const opened = days.reduce((sum, day) => sum + day.incidents, 0);
    const met = days.flatMap(({ outages }) => outages);
    const found = met.filter(({ notice }) => notice !== undefined);
    const told = met.filter((outage) => outage.told >= MIN_TOLD);
    const wrong = days.flatMap(({ falseIncidents }) => falseIncidents);
    const noticeS = median(found.flatMap(({ notice }) => (notice ? [notice.afterMetMs / 1_000] : [])));
    const weak = days.flatMap(({ weakNoticeMs }) => weakNoticeMs ?? []);
    return [
      claimFound(`outages of 5 minutes or more that at least ${MIN_MET} visitors met: found`, met),
      claimFound(`… of which at least ${MIN_TOLD} pages told: found`, told),
      {
        what: 'incidents about what was not out',
        measured: [`${wrong.length} of ${opened}`, ...wrong].join('; '),
        bound: { text: 'none', isMet: wrong.length === 0 },
      },
      {
        what: 'from the first visitor who met an outage to the incident, median of all that were found',
        measured: `${noticeS.toFixed(0)} s`,
        bound: { text: `≤ ${MAX_NOTICE_S} s`, isMet: noticeS <= MAX_NOTICE_S },
      },
      describeNotice('all outages that visitors met', met),
      describeNotice('all outages of which pages told', told),
      ...Object.entries(KINDS).map(([kind, what]) =>
        describeNotice(
          what,
          told.filter((outage) => outage.kind === kind),
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

function claimFound(what: string, outages: readonly MetOutage[]): Claim {
  const found = outages.filter(({ notice }) => notice !== undefined);
  return {
    what,
    measured: `${found.length} of ${outages.length}`,
    bound: { text: 'all', isMet: found.length === outages.length },
  };
}

/**
 * Nobody can notice an outage before visitors have met it, and many of these leave before their page can tell. So this says
 * how long it takes from the first visitor on, and for comparison until four visitors have met it and four pages have told of it.
 */
function describeNotice(what: string, outages: readonly MetOutage[]): Claim {
  const notices = outages.flatMap(({ notice }) => notice ?? []);
  return {
    what: `${what} (${outages.length}): from the first visitor who met it to the incident, median`,
    measured: [
      `${medianOf(notices.map(({ afterMetMs }) => afterMetMs / 1_000))} s`,
      `four visitors had met it after ${medianOf(outages.map(({ fourMetMs }) => fourMetMs / 1_000))} s`,
      `four pages had told of it after ${medianOf(outages.map(({ fourToldMs }) => fourToldMs / 1_000))} s`,
      `at the incident ${medianOf(notices.map(({ met }) => met))} visitors had met it, and ${medianOf(notices.map(({ told }) => told))} pages had told`,
      `${medianOf(notices.map(({ afterMs }) => afterMs / 1_000))} s after its beginning`,
    ].join('; '),
  };
}

function medianOf(values: readonly number[]): string {
  return median(values).toFixed(0);
}
