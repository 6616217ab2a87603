import { DAY_MS } from '../../contract/time-units.ts';
import type { VisitorNumbers } from '../../contract/visitors.ts';

/** The most labels that have room below the chart. */
const MAX_TICKS = 7;

type TimeLayout = {
  /** The number of bars, including the hours of today that are still to come. */
  readonly slots: number;
  /** The number of bars for each label. */
  readonly slotsPerTick: number;
  /** The times of the labels. */
  readonly ticks: readonly number[];
  /** The start of each hour or day that has begun, with or without visits. */
  readonly times: readonly number[];
  readonly slotOf: (time: number) => number;
};

/** Gives each hour or day of a period its place in a chart. One without visits keeps its place. */
export function layOutTime({
  from,
  at: now,
  pointMs,
}: Pick<VisitorNumbers, 'from' | 'at' | 'pointMs'>): TimeLayout {
  const days = Math.max(1, Math.ceil((now - from) / DAY_MS));
  const slots = (days * DAY_MS) / pointMs;
  const slotsPerTick = Math.ceil(slots / MAX_TICKS);
  const ticks = Array.from(
    { length: Math.ceil(slots / slotsPerTick) },
    (_, tick) => from + tick * slotsPerTick * pointMs,
  );
  const times = Array.from({ length: slots }, (_, slot) => from + slot * pointMs).filter(
    (time) => time <= now,
  );
  return { slots, slotsPerTick, ticks, times, slotOf: (time) => (time - from) / pointMs };
}
