import type { ConsoleLanguage } from './console-language.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time-units.ts';

const UNITS = {
  en: { days: ' d', hours: ' h', minutes: ' min', seconds: ' s' },
  'zh-CN': { days: ' 天', hours: ' 小时', minutes: ' 分钟', seconds: ' 秒' },
} as const;

/** Writes a duration by its two largest units, such as `2 h 5 min`. */
export function writeDuration(ms: number, language: ConsoleLanguage): string {
  const { days, hours, minutes, seconds } = UNITS[language];
  if (ms < MINUTE_MS) return `${Math.max(0, Math.round(ms / 1_000))}${seconds}`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}${minutes}`;
  const [large, small] =
    ms < DAY_MS
      ? [`${Math.floor(ms / HOUR_MS)}${hours}`, `${Math.floor((ms % HOUR_MS) / MINUTE_MS)}${minutes}`]
      : [`${Math.floor(ms / DAY_MS)}${days}`, `${Math.floor((ms % DAY_MS) / HOUR_MS)}${hours}`];
  return `${large} ${small}`;
}
