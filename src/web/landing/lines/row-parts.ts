import type { Row } from '../../../engine/board/describe-rows.ts';
import type { PageTexts } from '../../kit/page/create-page-content.ts';
import { gradeSpeed } from './grade-speed.ts';

// What a row shows, for line-row.tsx, which renders it with React, and for paint-rows.ts, which shows it before React is
// there.

/** The attributes of the row itself. The styles give it the colours of its grade. */
export function rowAttributes({ speed, isFastest }: Row) {
  return { 'data-grade': gradeSpeed(speed), 'data-fastest': isFastest || undefined };
}

/** The attributes of the row's link. It is disabled while its address is not known, or in doubt. */
export function linkAttributes({ number, address, cause, isInDoubt }: Row) {
  // A line that failed the identity check is entered by a dialog only.
  const href = isInDoubt || cause === 'wrong-server' ? undefined : address;
  return {
    href,
    target: href && '_blank',
    rel: href && 'noopener',
    role: href ? undefined : 'link',
    'aria-disabled': href ? undefined : true,
    'data-event': href ? 'official_line' : undefined,
    'data-line': href && number,
  } as const;
}

/** Writes what the row says of its speed: a number or words, and a note. Either `number` or `words` is empty. */
export function writeRowTexts(row: Row, texts: PageTexts) {
  const { speed } = row;
  const note = writeNote(row, texts);
  return 'ms' in speed
    ? { number: `${speed.ms}ms`, words: '', note }
    : { number: '', words: texts[speed.key], note };
}

/** Writes the small text below the speed: the cause of a failure, "estimate", or the grade. */
function writeNote({ speed, cause }: Row, texts: PageTexts): string {
  if (cause) return texts[cause];
  if (speed.key === 'estimate') return texts.estimate;
  const grade = gradeSpeed(speed);
  return grade === 'fast' || grade === 'fair' || grade === 'slow' ? texts[grade] : '';
}
