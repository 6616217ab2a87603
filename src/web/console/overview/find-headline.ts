import type { ConsoleLine, ConsoleOverview, LineStatus } from '../../../contract/console.ts';
import { formatHost } from '../format/format-host.ts';
import { formatClock } from '../format/format-time.ts';
import { TEXTS } from '../texts.ts';

type HeadlineText = { readonly status: LineStatus; readonly text: string; readonly hint: string };

/** What matters most: a line that is in trouble, or that none is, as far as anybody knows. */
export function findHeadline(
  { hour, at, lines: counts }: Pick<ConsoleOverview, 'hour' | 'at' | 'lines'>,
  lines: readonly ConsoleLine[],
): HeadlineText {
  const status = counts.down > 0 ? 'down' : counts.degraded > 0 ? 'degraded' : undefined;
  if (status === undefined) {
    if (hour.visitors === null)
      return { status: 'unknown', text: TEXTS.nothingYet, hint: TEXTS.nothingYetHint };
    if (counts.unknown > 0)
      return { status: 'unknown', text: TEXTS.noneDown, hint: TEXTS.linesUnknown(counts.unknown) };
    return { status: 'up', text: TEXTS.allWell, hint: '' };
  }
  const troubled = lines.filter((line) => line.status === status && line.role === 'line');
  const [worst] = troubled;
  // The counts are ahead of the table by a moment.
  if (worst === undefined) return { status, text: TEXTS.loading, hint: '' };
  const since = worst.since === null ? '' : TEXTS.sinceClock(formatClock(worst.since, at));
  const more = troubled.length > 1 ? TEXTS.moreLines(troubled.length - 1) : '';
  return {
    status,
    text: `${TEXTS.lineTrouble(formatHost(worst.host), status, since)}${more}.`,
    hint: worst.judgedBy === null ? '' : TEXTS.judgedBy[worst.judgedBy],
  };
}
