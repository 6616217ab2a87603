import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/time-units.ts';

/** Writes numbers and times as the operator's language and time zone do. */
export type Format = {
  readonly count: (count: number | null) => string;
  /** Faded counts are not whole numbers, but operators think in whole tries. */
  readonly fadedCount: (count: number) => string;
  /** Writes a part of a whole in percent. */
  readonly part: (part: number | null, of: number | null) => string;
  /** Writes a share as whole percent, but never rounds it to 0 or 100. */
  readonly percent: (share: number) => string;
  readonly ms: (ms: number | null) => string;
  readonly factor: (factor: number) => string;
  /** Writes a size: "12 kB", "3.4 MB", "5.0 GB". */
  readonly bytes: (bytes: number) => string;
  /** Writes a time of day, with the date if that is not today. */
  readonly clock: (time: number, now: number) => string;
  /** Writes a time of day. */
  readonly hour: (time: number) => string;
  /** Writes a day, without its year. */
  readonly day: (time: number) => string;
  /** Writes a day of UTC, without its year. */
  readonly utcDay: (time: number) => string;
  /** Writes the date, the time, the zone, and how long ago or how far ahead that is. */
  readonly exactTime: (time: number, now: number) => string;
};

export type FormatSettings = {
  /** A BCP 47 tag: `en-GB`, `zh-CN`, … */
  readonly tag: string;
  readonly timeZone: string;
};

/** Shown for an unknown number. */
export const NO_DATA = '–';

/** Creates the formats once: to create one takes much longer than to use it. */
export function createFormat(settings: FormatSettings): Format {
  return { ...createNumberFormat(settings), ...createTimeFormat(settings) };
}

function createNumberFormat({
  tag,
}: FormatSettings): Pick<Format, 'count' | 'fadedCount' | 'part' | 'percent' | 'ms' | 'factor' | 'bytes'> {
  const whole = new Intl.NumberFormat(tag, digits(0));
  const tenths = new Intl.NumberFormat(tag, digits(1));
  const hundredths = new Intl.NumberFormat(tag, digits(2));
  const wholePercent = new Intl.NumberFormat(tag, { style: 'percent', ...digits(0) });
  const tenthsPercent = new Intl.NumberFormat(tag, { style: 'percent', ...digits(1) });
  return {
    count: (count) => (count === null ? NO_DATA : whole.format(count)),
    fadedCount: (count) => whole.format(Math.max(1, count)),
    part: (part, of) => {
      if (part === null || of === null || of === 0) return NO_DATA;
      const share = part / of;
      if (share === 1) return wholePercent.format(1);
      // Less than all must not be rounded to 100 %.
      return tenthsPercent.format(share < 1 ? Math.min(share, 0.999) : share);
    },
    percent: (share) => {
      if (share > 0 && share < 0.001) return `< ${tenthsPercent.format(0.001)}`;
      if (share > 0.999 && share < 1) return `> ${tenthsPercent.format(0.999)}`;
      const isNearEnd = (share > 0 && share < 0.01) || (share > 0.99 && share < 1);
      return (isNearEnd ? tenthsPercent : wholePercent).format(share);
    },
    ms: (ms) => {
      if (ms === null) return NO_DATA;
      return ms < 10_000 ? `${whole.format(ms)} ms` : `${tenths.format(ms / 1_000)} s`;
    },
    factor: (factor) => (factor < 10 ? hundredths : whole).format(factor),
    bytes: (bytes) => {
      if (bytes < 1e6) return `${whole.format(Math.ceil(bytes / 1e3))} kB`;
      return bytes < 1e9 ? `${tenths.format(bytes / 1e6)} MB` : `${tenths.format(bytes / 1e9)} GB`;
    },
  };
}

function digits(count: number): Intl.NumberFormatOptions {
  return { minimumFractionDigits: count, maximumFractionDigits: count };
}

function createTimeFormat({
  tag,
  timeZone,
}: FormatSettings): Pick<Format, 'clock' | 'hour' | 'day' | 'utcDay' | 'exactTime'> {
  // A clock of 24 hours in every language: a table has no room for "am" and "pm".
  const shared = { timeZone, hourCycle: 'h23' } as const;
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  const hour = new Intl.DateTimeFormat(tag, { ...shared, ...time });
  const dayAndHour = new Intl.DateTimeFormat(tag, { ...shared, ...time, day: 'numeric', month: 'short' });
  const date = new Intl.DateTimeFormat(tag, { timeZone, dateStyle: 'short' });
  const day = new Intl.DateTimeFormat(tag, { timeZone, day: 'numeric', month: 'short' });
  const utcDay = new Intl.DateTimeFormat(tag, { timeZone: 'UTC', day: 'numeric', month: 'short' });
  const exact = new Intl.DateTimeFormat(tag, { ...shared, dateStyle: 'full', timeStyle: 'long' });
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });

  /** Writes how far a time is from now, in one unit. */
  const distance = (ms: number): string => {
    const sizeMs = Math.abs(ms);
    if (sizeMs < MINUTE_MS) return relative.format(0, 'second');
    if (sizeMs < HOUR_MS) return relative.format(Math.trunc(ms / MINUTE_MS), 'minute');
    if (sizeMs < 2 * DAY_MS) return relative.format(Math.trunc(ms / HOUR_MS), 'hour');
    return relative.format(Math.trunc(ms / DAY_MS), 'day');
  };
  return {
    clock: (at, now) => (date.format(at) === date.format(now) ? hour : dayAndHour).format(at),
    hour: (at) => hour.format(at),
    day: (at) => day.format(at),
    utcDay: (at) => utcDay.format(at),
    exactTime: (at, now) => `${exact.format(at)} (${distance(at - now)})`,
  };
}

/** Names a zone by its distance to UTC: "GMT+8". */
export function nameZone({ tag, timeZone }: FormatSettings, now: number): string {
  return readZone({ tag, timeZone }, 'shortOffset', now) ?? timeZone;
}

/** How far the clocks of a zone are ahead of UTC at a time. */
export function findOffsetMs(timeZone: string, at: number): number {
  const name = readZone({ tag: 'en', timeZone }, 'longOffset', at) ?? '';
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

function readZone(
  { tag, timeZone }: FormatSettings,
  timeZoneName: 'shortOffset' | 'longOffset',
  at: number,
): string | undefined {
  const format = new Intl.DateTimeFormat(tag, { timeZone, timeZoneName });
  return format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
}
