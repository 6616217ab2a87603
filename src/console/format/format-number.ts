/** Shown for an unknown number. */
export const NO_DATA = '–';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export function formatCount(count: number | null): string {
  return count === null ? NO_DATA : whole.format(count);
}

/** Faded counts are not whole numbers, but operators think in whole tries. */
export function formatFadedCount(count: number): string {
  return whole.format(Math.max(1, count));
}

/** Writes a part of a whole in percent. */
export function formatPart(part: number | null, of: number | null): string {
  if (part === null || of === null || of === 0) return NO_DATA;
  const percent = (part / of) * 100;
  // Less than all must not be rounded to 100 %.
  if (percent >= 99.95 && part < of) return '99.9 %';
  return percent === 100 ? '100 %' : `${tenths.format(percent)} %`;
}

/** Writes a share as whole percent, but never rounds it to 0 or 100. */
export function formatPercent(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  if (percent > 99.9 && percent < 100) return '> 99.9 %';
  const isNearEnd = (percent > 0 && percent < 1) || (percent > 99 && percent < 100);
  return `${(isNearEnd ? tenths : whole).format(percent)} %`;
}

export function formatMs(ms: number | null): string {
  if (ms === null) return NO_DATA;
  return ms < 10_000 ? `${whole.format(ms)} ms` : `${tenths.format(ms / 1_000)} s`;
}

export function formatFactor(factor: number): string {
  return factor.toFixed(factor < 10 ? 2 : 0);
}
