import { LOCALES, type Locale } from '../../contract/locales.ts';
import { LOCALE_COOKIE } from '../../contract/storage-keys.ts';

export type LocaleHints = {
  /** The value of `?lang=`. */
  readonly asked: string | undefined;
  readonly cookie: string | undefined;
  readonly acceptLanguage: string | undefined;
};

const COOKIE = new RegExp(`(?:^|;\\s*)${LOCALE_COOKIE.replaceAll('.', '\\.')}=([\\w-]+)`);
const TRADITIONAL = /^zh-(?:hant|tw|hk|mo)\b/;

/** Chooses the language of an answer: the one asked for, the one chosen before, then the browser's order. */
export function chooseLocale({ asked, cookie, acceptLanguage }: LocaleHints, fallback: Locale): Locale {
  return (
    findLocale(asked) ??
    findLocale(cookie && COOKIE.exec(cookie)?.[1]) ??
    (acceptLanguage === undefined ? undefined : findAccepted(acceptLanguage)) ??
    fallback
  );
}

/** The locale of exactly this name, however it is cased. */
export function findLocale(name: string | undefined): Locale | undefined {
  return name === undefined
    ? undefined
    : LOCALES.find((locale) => locale.toLowerCase() === name.toLowerCase());
}

function findAccepted(acceptLanguage: string): Locale | undefined {
  return acceptLanguage
    .split(',')
    .map((item) => {
      const [tag = '', weight] = item.split(';q=');
      return {
        locale: matchTag(tag.trim().toLowerCase()),
        weight: weight === undefined ? 1 : Number(weight),
      };
    })
    .filter(({ locale, weight }) => locale !== undefined && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)[0]?.locale;
}

function matchTag(tag: string): Locale | undefined {
  if (TRADITIONAL.test(tag)) return 'zh-TW';
  if (tag === 'zh' || tag.startsWith('zh-')) return 'zh-CN';
  return tag === 'en' || tag.startsWith('en-') ? 'en' : undefined;
}
