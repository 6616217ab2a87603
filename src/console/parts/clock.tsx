import type { ReactNode } from 'react';
import { useLocale } from '../locale/locale.ts';

/** A time in the operator's zone, or a sentence with it. Its tooltip has the whole date. */
export function Clock({
  time,
  now,
  write = (clock) => clock,
}: {
  readonly time: number;
  readonly now: number;
  /** Puts the time into its sentence. */
  readonly write?: (clock: string) => string;
}): ReactNode {
  const { format } = useLocale();
  return (
    <time dateTime={new Date(time).toISOString()} title={format.exactTime(time, now)}>
      {write(format.clock(time, now))}
    </time>
  );
}
