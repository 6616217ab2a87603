import type { ConsoleLine, ConsoleOverview, LineStatus } from '../../contract/console.ts';
import { HOUR_MS } from '../../contract/time-units.ts';
import { formatHost } from '../format/format-names.ts';
import type { Locale } from '../locale/locale.ts';

export type HeadlineText = {
  readonly status: LineStatus;
  readonly text: string;
  readonly hint: string;
  /** The time that the text names. */
  readonly since?: number | undefined;
  /** The line that is down. Only a line, never a backup. */
  readonly down?: ConsoleLine | undefined;
  /** The incidents view has more. */
  readonly isIncident?: boolean;
};

type Words = Pick<Locale, 'texts' | 'format' | 'language'>;

type HeadlineFacts = Pick<
  ConsoleOverview,
  'hour' | 'at' | 'maintenance' | 'cutOff' | 'otherIncident' | 'lines' | 'backups' | 'site'
>;
type Trouble = 'down' | 'degraded';

/** For this long, a new version of the site is news. */
const NEWS_MS = HOUR_MS;

/** Finds what the operator must know, the most important first: all troubles, or that there are none. */
export function findHeadlines(
  facts: HeadlineFacts,
  lines: readonly ConsoleLine[],
  words: Words,
): readonly [HeadlineText, ...HeadlineText[]] {
  const find = (role: ConsoleLine['role'], status: Trouble): HeadlineText | undefined =>
    findTrouble({ role, status, facts, lines }, words);
  const incident = findIncident(facts, words);
  const [first, ...others] = [
    findMaintenance(facts, words),
    findCutOff(facts, words),
    incident?.status === 'down' ? incident : undefined,
    find('line', 'down'),
    findRefusal(facts, words),
    find('backup', 'down'),
    find('line', 'degraded'),
    find('backup', 'degraded'),
    incident?.status === 'degraded' ? incident : undefined,
  ].filter((headline) => headline !== undefined);
  return first === undefined ? [describeCalm(facts, words)] : [first, ...others];
}

/** First, because it explains why nobody was told of the rest. */
function findMaintenance(
  { maintenance, at }: HeadlineFacts,
  { texts, format, language }: Words,
): HeadlineText | undefined {
  if (maintenance === null) return undefined;
  const { reasons, until, closes } = maintenance;
  const clock = until === null ? undefined : format.clock(until, at);
  return {
    status: 'maintenance',
    text: closes ? texts.siteClosed(clock) : texts.siteMaintenance(clock),
    hint: reasons?.[language] ?? '',
  };
}

/** Before the lines, because it says whose view of them counts. */
function findCutOff({ cutOff }: HeadlineFacts, { texts }: Words): HeadlineText | undefined {
  if (cutOff === null) return undefined;
  return {
    status: cutOff === 'replicas' ? 'degraded' : 'down',
    text: texts.cutOff,
    hint: texts.cutOffHint[cutOff],
  };
}

/** What no state of a line shows, such as visitors who reach no line although every line is up. */
function findIncident(
  { otherIncident, at }: HeadlineFacts,
  { texts, format, language }: Words,
): HeadlineText | undefined {
  if (otherIncident === null) return undefined;
  const { names, severity, startedAt } = otherIncident;
  return {
    status: severity === 'high' || severity === 'critical' ? 'down' : 'degraded',
    text: texts.incidentSince(names[language], format.clock(startedAt, at)),
    hint: '',
    since: startedAt,
    isIncident: true,
  };
}

function describeCalm(facts: HeadlineFacts, { texts, format }: Words): HeadlineText {
  const { hour, lines, site, at } = facts;
  if (hour.visitors === null)
    return { status: 'unknown', text: texts.nothingYet, hint: texts.nothingYetHint };
  if (lines.unknown > 0)
    return { status: 'unknown', text: texts.noneDown, hint: texts.linesUnknown(format.count(lines.unknown)) };
  const isNew = at - site.publishedAt < NEWS_MS;
  const hint = isNew ? texts.published(site.version, format.clock(site.publishedAt, at)) : '';
  return { status: 'up', text: texts.allWell, hint };
}

function findRefusal({ site, at }: HeadlineFacts, { texts, format }: Words): HeadlineText | undefined {
  const { refusal } = site;
  if (refusal === null || refusal.correctedAt !== null) return undefined;
  return {
    status: 'down',
    text: texts.changeRefused(format.clock(refusal.at, at)),
    hint: texts.seeSiteFolder,
    since: refusal.at,
  };
}

type TroubleSearch = {
  readonly role: ConsoleLine['role'];
  readonly status: Trouble;
  readonly facts: HeadlineFacts;
  readonly lines: readonly ConsoleLine[];
};

function findTrouble(
  { role, status, facts, lines }: TroubleSearch,
  { texts, format }: Words,
): HeadlineText | undefined {
  const counts = role === 'line' ? facts.lines : facts.backups;
  if (counts[status] === 0) return undefined;
  const troubled = lines.filter((line) => line.status === status && line.role === role);
  // The first one in trouble may be the cause of the others.
  const [worst] = troubled.toSorted((a, b) => (a.since ?? Infinity) - (b.since ?? Infinity));
  // The counts arrive before the lines.
  if (worst === undefined) {
    const count = counts[status];
    const unnamed = { host: undefined, status, clock: undefined, count, shownCount: format.count(count) };
    return { status, text: texts.trouble[role](unnamed), hint: '' };
  }
  const clock = worst.since === null ? undefined : format.clock(worst.since, facts.at);
  const count = troubled.length;
  return {
    status,
    text: texts.trouble[role]({
      host: formatHost(worst.host),
      status,
      clock,
      count,
      shownCount: format.count(count),
    }),
    hint: describeCause(worst, { texts, format }),
    since: worst.since ?? undefined,
    ...(role === 'line' && status === 'down' && { down: worst }),
  };
}

function describeCause(
  { judgedBy, faults, failingNetworks }: ConsoleLine,
  { texts, format }: Pick<Words, 'texts' | 'format'>,
): string {
  const [fault] = faults;
  if (judgedBy === 'probe' && fault !== undefined) return texts.fault(fault).problem;
  if (judgedBy === 'visitors' && failingNetworks)
    return texts.lostIn(failingNetworks, format.count(failingNetworks));
  return judgedBy === null ? '' : texts.judgedBy[judgedBy];
}
