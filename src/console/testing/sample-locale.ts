import type { ConsoleLanguage } from '../../contract/console-language.ts';
import { type Locale, createLocale } from '../locale/locale.ts';

/** Creates the locale of an operator in Singapore. */
export function sampleLocale(language: ConsoleLanguage = 'en', languages: readonly string[] = []): Locale {
  return createLocale(
    { language, zone: 'browser', theme: 'system' },
    { languages, timeZone: 'Asia/Singapore', now: () => Date.UTC(2026, 10, 15) },
  );
}
