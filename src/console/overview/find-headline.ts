import type { ConsoleLine, ConsoleOverview, LineStatus } from '../../contract/console.ts';
import { formatHost } from '../format/format-names.ts';
import { formatClock } from '../format/format-time.ts';
import { TEXTS } from '../texts.ts';

export type HeadlineText = { readonly status: LineStatus; readonly text: string; readonly hint: string };

type HeadlineFacts = Pick<ConsoleOverview, 'hour' | 'at' | 'lines' | 'backups' | 'site'>;
type Trouble = 'down' | 'degraded';

/** Finds what the operator must know, the most important first: all troubles, or that there are none. */
export function findHeadlines(
  facts: HeadlineFacts,
  lines: readonly ConsoleLine[],
): readonly [HeadlineText, ...HeadlineText[]] {
  const [first, ...others] = [
    findTrouble('line', 'down', facts, lines),
    findRefusal(facts),
    findTrouble('backup', 'down', facts, lines),
    findTrouble('line', 'degraded', facts, lines),
    findTrouble('backup', 'degraded', facts, lines),
  ].filter((headline) => headline !== undefined);
  if (first === undefined) return [describeCalm(facts)];
  // Until the lines have loaded, every trouble reads "loading". Once is enough.
  return [first, ...others.filter(({ text }) => text !== TEXTS.loading)];
}

function describeCalm({ hour, lines }: HeadlineFacts): HeadlineText {
  if (hour.visitors === null)
    return { status: 'unknown', text: TEXTS.nothingYet, hint: TEXTS.nothingYetHint };
  if (lines.unknown > 0)
    return { status: 'unknown', text: TEXTS.noneDown, hint: TEXTS.linesUnknown(lines.unknown) };
  return { status: 'up', text: TEXTS.allWell, hint: '' };
}

function findRefusal({ site, at }: HeadlineFacts): HeadlineText | undefined {
  const { refusal } = site;
  if (refusal === null || refusal.correctedAt !== null) return undefined;
  return {
    status: 'down',
    text: TEXTS.changeRefused(formatClock(refusal.at, at)),
    hint: TEXTS.seeSiteFolder,
  };
}

function findTrouble(
  role: ConsoleLine['role'],
  status: Trouble,
  { lines: lineCounts, backups, at }: HeadlineFacts,
  lines: readonly ConsoleLine[],
): HeadlineText | undefined {
  const count = (role === 'line' ? lineCounts : backups)[status];
  if (count === 0) return undefined;
  const troubled = lines.filter((line) => line.status === status && line.role === role);
  // The first one in trouble may be the cause of the others.
  const [worst] = troubled.toSorted((a, b) => (a.since ?? Infinity) - (b.since ?? Infinity));
  // The counts arrive before the lines.
  if (worst === undefined) return { status, text: TEXTS.loading, hint: '' };
  const clock = worst.since === null ? undefined : formatClock(worst.since, at);
  return {
    status,
    text: TEXTS.trouble[role]({ host: formatHost(worst.host), status, clock, count: troubled.length }),
    hint: describeCause(worst),
  };
}

function describeCause({ judgedBy, faults }: ConsoleLine): string {
  const [fault] = faults;
  if (judgedBy === 'probe' && fault !== undefined) return TEXTS.fault(fault);
  return judgedBy === null ? '' : TEXTS.judgedBy[judgedBy];
}
