/** The languages of the console and of its login form. */
export const CONSOLE_LANGUAGES = ['en', 'zh-CN'] as const;

export type ConsoleLanguage = (typeof CONSOLE_LANGUAGES)[number];

/** A text, or something else, in each of them. */
export type InConsoleLanguages<T = string> = Readonly<Record<ConsoleLanguage, T>>;

/** Says the same in each of them. The server has the words, so that the console's scripts need not. */
export function sayInEach(say: (language: ConsoleLanguage) => string): InConsoleLanguages {
  return { en: say('en'), 'zh-CN': say('zh-CN') };
}

/** Chooses the first language of a browser that the console speaks. Every variant of Chinese gets `zh-CN`. */
export function findConsoleLanguage(tags: readonly string[]): ConsoleLanguage {
  const found = tags
    .map((tag) => tag.toLowerCase().split('-', 1)[0])
    .find((name) => name === 'zh' || name === 'en');
  return found === 'zh' ? 'zh-CN' : 'en';
}
