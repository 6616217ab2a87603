import { randomInt } from 'node:crypto';
import type { Bench, Claim } from './claim.ts';
import { DAYS, LOST_PARTS, simulateCalls } from './incidents/simulate-calls.ts';
import { simulateDays } from './incidents/simulate-days.ts';
import type { Slowdown } from './incidents/slow-down.ts';
import { MIN_MET, type MetOutage, type OutageKind } from './incidents/track-outages.ts';
import { median } from './statistics.ts';

const DAY_COUNT = 10;
const SEEDS_BELOW = 1_000_000;
/** Each line has the visitors that it has on a site with 40 lines and 20,000 visitors an hour, which takes four times as long to simulate. */
const DAY = { hours: 24, lines: 20, visitorsPerHour: 10_000 };
const MIN_FOUND = 0.99;
const MAX_FALSE = 1;
const MAX_NOTICE_S = 90;
const KINDS: Readonly<Record<OutageKind, string>> = {
  host: 'a line that is down for everyone',
  country: 'a line that is lost in a country',
  network: 'a line that is lost in one network',
};

/**
 * Our incidents in the steering's simulated world, in which 1.5 % of all probes fail for no reason. The server's own watch is the product's, in
 * simulated time. 15 % of all reports are lost, and so are those of the 5 % of the pages that are closed at once.
 */
export const incidents: Bench = {
  title: `incidents of ${DAY_COUNT} simulated days: ${DAY.lines} lines, ${DAY.visitorsPerHour.toLocaleString('en')} visitors an hour`,
  /** `--only 3,7` simulates only the days of these seeds. Otherwise they are drawn. */
  async run({ only }) {
    const drawn = Array.from({ length: DAY_COUNT }, () => randomInt(SEEDS_BELOW));
    const seeds = only?.split(',').map(Number) ?? drawn;
    const startedAt = performance.now();
    const days = await simulateDays(seeds, DAY);
    const callDays = await Promise.all(seeds.map(simulateCalls));
    const tookS = (performance.now() - startedAt) / 1_000;
    const met = days.flatMap(({ outages }) => outages);
    const falseIncidents = [
      ...days.flatMap((day) => day.falseIncidents),
      ...callDays.flatMap((day) => day.falseIncidents),
    ];
    const opened = days.reduce((sum, day) => sum + day.incidents, 0);
    const weak = days.flatMap(({ weakNoticeMs }) => weakNoticeMs ?? []);
    return [
      { what: 'seeds, drawn for this run', measured: `${seeds.join(', ')} (${tookS.toFixed(0)} s)` },
      claimFound(met),
      {
        what: `false incidents of any kind, ${DAYS.length} days of calls (${DAYS.join(', ')}) for each day of visits included`,
        measured: [`${falseIncidents.length} (${opened} incidents in all)`, ...falseIncidents].join('; '),
        bound: { text: `≤ ${MAX_FALSE}`, isMet: falseIncidents.length <= MAX_FALSE },
      },
      claimNotice(met),
      describeNotice('all outages', met),
      ...Object.entries(KINDS).map(([kind, what]) =>
        describeNotice(
          what,
          met.filter((outage) => outage.kind === kind),
        ),
      ),
      {
        what: 'a line that 20 % of all visitors lose: days on which it became an incident',
        measured: `${weak.length} of ${days.length}, after ${(median(weak) / 60_000).toFixed(0)} min (median)`,
        bound: { text: 'all', isMet: weak.length === days.length },
      },
      ...claimSlowdowns(days.flatMap(({ slowdowns }) => slowdowns)),
      ...LOST_PARTS.map((part) =>
        claimNoticed(
          part === 1
            ? 'the portal is lost for everybody for an hour'
            : `a network of ${part * 100} % of all visitors loses the portal for an hour`,
          callDays.flatMap(({ losses }) => losses.filter((loss) => loss.part === part)),
        ),
      ),
    ];
  },
};

function claimFound(met: readonly MetOutage[]): Claim {
  const found = met.filter(({ notice }) => notice !== undefined);
  const missed = met.filter(({ notice }) => notice === undefined);
  const part = found.length / met.length;
  const each = missed.map(({ kind, met: visitors, told }) => `${kind} (${told} of ${visitors})`);
  return {
    what: `outages that at least ${MIN_MET} visitors met: found`,
    measured: `${found.length} of ${met.length}, ${(part * 100).toFixed(2)} %; missed, with how many of the visitors' pages told of it: ${each.join(', ') || 'none'}`,
    bound: { text: `≥ ${MIN_FOUND * 100} %`, isMet: part >= MIN_FOUND },
  };
}

function claimNotice(met: readonly MetOutage[]): Claim {
  const notices = met.flatMap(({ notice }) => (notice ? [notice.afterMetMs / 1_000] : []));
  const noticeS = median(notices);
  return {
    what: 'from the first visitor who met an outage to the incident, median over all that were found',
    measured: `${noticeS.toFixed(0)} s`,
    bound: { text: `≤ ${MAX_NOTICE_S} s`, isMet: noticeS <= MAX_NOTICE_S },
  };
}

/**
 * What the time until an incident consists of: until the first visitor meets the outage, until four pages have told of it (many visitors leave before
 * theirs can, and reports get lost), and the rest, which the judge takes.
 */
function describeNotice(what: string, outages: readonly MetOutage[]): Claim {
  const found = outages.flatMap(({ notice, ...outage }) => (notice ? [{ ...outage, notice }] : []));
  const after = found.map(({ notice }) => notice.afterMs / 1_000);
  return {
    what: `${what} (${outages.length}): from its beginning to the incident, median, and what it consists of`,
    measured: [
      `${medianOf(after)} s`,
      `the first visitor met it after ${medianOf(found.map(({ firstMetMs }) => firstMetMs / 1_000))} s`,
      `then ${medianOf(found.map(({ notice }) => notice.afterMetMs / 1_000))} s to the incident`,
      `four visitors had met it ${medianOf(found.map(({ fourMetMs }) => fourMetMs / 1_000))} s after the first`,
      `four pages had told of it ${medianOf(found.map(({ fourToldMs }) => fourToldMs / 1_000))} s after the first`,
      `at the incident ${medianOf(found.map(({ notice }) => notice.met))} visitors had met it, and ${medianOf(found.map(({ notice }) => notice.told))} pages had told`,
    ].join('; '),
  };
}

function claimSlowdowns(slowdowns: readonly Slowdown[]): readonly Claim[] {
  const names = [...new Set(slowdowns.map(nameSlowdown))];
  return names.map((name) => {
    const group = slowdowns.filter((slowdown) => nameSlowdown(slowdown) === name);
    const claim = claimNoticed(name, group);
    const kinds = group.map(({ kind }) => kind ?? 'nothing');
    const told = [...new Set(kinds)].map((kind) => `${kinds.filter((each) => each === kind).length} ${kind}`);
    return Object.assign(claim, {
      measured: `${claim.measured}; told as: ${told.join(', ')}`,
      bound: { text: 'all, as line-slow', isMet: kinds.every((kind) => kind === 'line-slow') },
    });
  });
}

function nameSlowdown({ times, where }: Slowdown): string {
  return `a line takes ${times} times as long for an hour (${where === 'everywhere' ? where : `in one ${where}`})`;
}

function claimNoticed(what: string, each: readonly { readonly noticeMs: number | undefined }[]): Claim {
  const notices = each.flatMap(({ noticeMs }) => (noticeMs === undefined ? [] : [noticeMs / 60_000]));
  const times =
    notices.length === 0
      ? ''
      : `, after ${median(notices).toFixed(1)} min (median; ${Math.min(...notices).toFixed(1)} to ${Math.max(...notices).toFixed(1)})`;
  return {
    what: `${what}: became an incident`,
    measured: `${notices.length} of ${each.length}${times}`,
    bound: { text: 'all', isMet: notices.length === each.length },
  };
}

function medianOf(values: readonly number[]): string {
  return median(values).toFixed(0);
}
