import type { Compared } from '../../contract/visitors.ts';
import type { Format } from '../locale/create-format.ts';
import type { VisitorTexts } from './texts.ts';

type Words = {
  readonly texts: Pick<
    VisitorTexts,
    'more' | 'fewer' | 'fromNone' | 'same' | 'morePoints' | 'fewerPoints' | 'noShareBefore'
  >;
  readonly format: Pick<Format, 'count' | 'percent'>;
};

/** Says how a number differs from the one before, by sign and in words. */
export function describeTrend({ now, before }: Compared, { texts, format }: Words): string {
  const difference = format.count(Math.abs(now - before));
  if (now === before) return texts.same;
  if (before === 0) return texts.fromNone(difference);
  const part = format.percent(Math.abs(now - before) / before);
  return now > before ? texts.more(difference, part) : texts.fewer(difference, part);
}

/** Says how a share differs from the one before, in percentage points. */
export function describeShareTrend(part: Compared, of: Compared, { texts }: Words): string {
  if (of.now === 0 || of.before === 0) return texts.noShareBefore;
  const points = Math.round((part.now / of.now - part.before / of.before) * 1_000) / 10;
  if (points === 0) return texts.same;
  return points > 0 ? texts.morePoints(String(points)) : texts.fewerPoints(String(-points));
}

/** Writes the change for a cell of a table: with its sign. */
export function writeTrend({ now, before }: Compared, { count }: Pick<Format, 'count'>): string {
  const sign = now > before ? '+' : now < before ? '−' : '±';
  return `${sign}${count(Math.abs(now - before))}`;
}
