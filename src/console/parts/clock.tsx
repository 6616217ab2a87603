import type { ReactNode } from 'react';
import { formatClock, formatExactTime } from '../format/format-time.ts';

/** A time in the operator's own zone. */
export function Clock({ time, now }: { readonly time: number; readonly now: number }): ReactNode {
  return (
    <time dateTime={new Date(time).toISOString()} title={formatExactTime(time)}>
      {formatClock(time, now)}
    </time>
  );
}
