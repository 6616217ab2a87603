import type { ReactNode } from 'react';
import type { ConsoleLine, ConsoleOverview, LineStatus } from '../../../contract/console.ts';
import { formatHost } from '../format/format-host.ts';
import { formatClock } from '../format/format-time.ts';
import { StatusMark } from '../parts/status-mark.tsx';
import { TEXTS } from '../texts.ts';
import styles from './headline.module.css';

/** The one sentence to read from across the room. Its room is kept, whatever it says. */
export function Headline({
  overview,
  lines = [],
}: {
  readonly overview: ConsoleOverview;
  readonly lines: readonly ConsoleLine[] | undefined;
}): ReactNode {
  const { status, text, hint } = findHeadline(overview, lines);
  return (
    <p className={styles.headline} data-status={status} role="status">
      <StatusMark status={status} label={text} />
      <span className={styles.hint}>{hint}</span>
    </p>
  );
}

function findHeadline(
  { hour, at, lines: counts }: ConsoleOverview,
  lines: readonly ConsoleLine[],
): { readonly status: LineStatus; readonly text: string; readonly hint: string } {
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
