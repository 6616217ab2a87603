import { createContext, useContext } from 'react';
import type { ConsoleLanguage, InConsoleLanguages } from '../../contract/console-language.ts';
import { type Format, createFormat, nameZone } from './create-format.ts';
import type { Settings } from './create-settings.ts';
import { type Texts, en } from './en.ts';
import { zhCN } from './zh-cn.ts';

/** How the console speaks to the operator. */
export type Locale = Settings & {
  readonly texts: Texts;
  readonly format: Format;
  /** The name of the IANA zone that is shown: `Asia/Singapore`. */
  readonly timeZone: string;
  /** The zone that is shown, in short: `GMT+8`. */
  readonly zoneName: string;
  /** The browser's own zone. */
  readonly browserZone: { readonly name: string; readonly offset: string };
};

/** What the browser says about the operator. */
export type LocaleHints = {
  readonly languages: readonly string[];
  readonly timeZone: string;
  readonly now: () => number;
};

const TEXTS: InConsoleLanguages<Texts> = { en, 'zh-CN': zhCN };

/** Creates the locale of the operator's choices. */
export function createLocale(
  { language, zone, theme }: Settings,
  { languages, timeZone, now }: LocaleHints,
): Locale {
  const tag = findTag(language, languages);
  const shownZone = zone === 'utc' ? 'UTC' : timeZone;
  const offset = nameZone({ tag, timeZone }, now());
  return {
    language,
    zone,
    theme,
    texts: TEXTS[language],
    format: createFormat({ tag, timeZone: shownZone }),
    timeZone: shownZone,
    zoneName: zone === 'utc' ? 'UTC' : offset,
    browserZone: { name: timeZone, offset },
  };
}

/** English dates differ by country, so the browser's own English is used. Without one, the day comes first. */
function findTag(language: ConsoleLanguage, languages: readonly string[]): string {
  return language === 'zh-CN' ? language : (languages.find((tag) => tag.startsWith('en-')) ?? 'en-GB');
}

const LocaleContext = createContext<Locale | undefined>(undefined);

export const LocaleProvider = LocaleContext.Provider;

/** The texts and formats of the operator's language and zone. */
export function useLocale(): Locale {
  const locale = useContext(LocaleContext);
  if (locale === undefined) throw new Error('useLocale works only below a LocaleProvider');
  return locale;
}

/** Creates the hook of texts that are loaded with their view. It returns them in the operator's language. */
export function createTextsHook<T>(texts: InConsoleLanguages<T>): () => T {
  return function useTexts() {
    return texts[useLocale().language];
  };
}
