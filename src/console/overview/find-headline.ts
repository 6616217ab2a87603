import type { ConsoleLine, ConsoleOverview, LineStatus } from '../../contract/console.ts';
import { formatHost } from '../format/format-names.ts';
import { formatClock } from '../format/format-time.ts';
import { TEXTS } from '../texts.ts';

export type HeadlineText = { readonly status: LineStatus; readonly text: string; readonly hint: string };

type HeadlineFacts = Pick<ConsoleOverview, 'hour' | 'at' | 'lines' | 'backups' | 'site'>;
type Trouble = 'down' | 'degraded';

/** What matters, the most important thing first: all that is in trouble, or that nothing is, as far as anybody knows. */
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
  // Until the table is there, the first one says that it is loading, and once is enough.
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
  if (refusal === null || refusal.mendedAt !== null) return undefined;
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
  // The one that has been so for longest: the others may follow from it.
  const [worst] = troubled.toSorted((a, b) => (a.since ?? Infinity) - (b.since ?? Infinity));
  // The counts are ahead of the table by a moment.
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
