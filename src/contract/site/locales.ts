import { MAX_LOCALES } from '../limits.ts';
import { must } from '../faults/site-fault.ts';
import { closestName } from './closest-name.ts';

/** The language of a page: a BCP 47 tag such as `pt-BR`, in its canonical form. */
export type Locale = string;

/** The languages that we have texts for. An operator may add any other. */
export const BUILT_IN_LOCALES = ['zh-CN', 'zh-TW', 'en'] as const;

export type BuiltInLocale = (typeof BUILT_IN_LOCALES)[number];

/** Which way a language is written: from left to right, or from right to left. */
export type Direction = 'ltr' | 'rtl';

/** The languages of a site. */
export type Languages = {
  readonly locales: readonly Locale[];
  /** For visitors whose browser asks for none of them. */
  readonly defaultLocale: Locale;
};

const DEFAULT_LOCALE = 'zh-CN';

/** The key of the value for all languages that have none of their own. */
export const FALLBACK_KEY = 'default';

/** What a site speaks if it says nothing about it. */
export const DEFAULT_LANGUAGES: Languages = { locales: BUILT_IN_LOCALES, defaultLocale: DEFAULT_LOCALE };

/**
 * Reads the languages of a `site.json` whose other parts may be wrong: they decide which keys its values by language may
 * have. What is wrong with the languages themselves is left to the schema.
 */
export function readLanguages(config: unknown): Languages {
  const { locales: named, defaultLocale } = Object(config) as { locales?: unknown; defaultLocale?: unknown };
  // Languages beyond 100 are a fault already, and are ignored here.
  const listed = Array.isArray(named) ? named.slice(0, MAX_LOCALES).filter(isText) : [];
  const locales: readonly Locale[] = listed.length > 0 ? listed : BUILT_IN_LOCALES;
  if (isText(defaultLocale) && locales.includes(defaultLocale)) return { locales, defaultLocale };
  const [first = DEFAULT_LOCALE] = locales;
  return { locales, defaultLocale: locales.includes(DEFAULT_LOCALE) ? DEFAULT_LOCALE : first };
}

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']);

export function directionOf(locale: Locale): Direction {
  return RIGHT_TO_LEFT.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr';
}

/** Characters that nobody sees: https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates */
const ISOLATES = { ltr: '\u2066', rtl: '\u2067' } as const;
const END_OF_ISOLATE = '\u2069';
/** Letters and digits stay in their order on every page. A text that is only a name takes the direction of that name. */
const PLAIN = /^(?:[\p{L}\p{N}\p{M} ]|\{n\})*$|^\{\w+\}$/u;

/** Keeps a text in its own direction on a page of the other one. Otherwise its full stop is shown at the wrong end. */
export function isolateText(text: string, direction: Direction): string {
  return PLAIN.test(text) ? text : ISOLATES[direction] + text + END_OF_ISOLATE;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Made once, because it takes longer to make than to use. Marked as pure, so that no page of a visitor has it. */
const LANGUAGE_NAMES = /* @__PURE__ */ new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Returns the rule that a text breaks if it is no language tag. Undefined if it is one. */
export function explainLocale(tag: string): string | undefined {
  const locale = parseLocale(tag);
  // Codes of four letters and more are not used.
  if (locale === undefined || locale.language.length > 3) return must('language-tag');
  if (locale.baseName !== tag) return must('language-spelling', { write: locale.baseName });
  const { language } = locale;
  // There is a name for each language with two letters, but not for every one with three.
  if (language.length !== 2 || LANGUAGE_NAMES.of(language) !== undefined) return undefined;
  return must('no-language', { meant: guessLanguage(language) });
}

/** Guesses the language if the operator wrote a country's code: `vn` means `vi`. */
function guessLanguage(code: string): string | undefined {
  const meant = parseLocale(`und-${code}`)?.maximize();
  return meant?.region === code.toUpperCase() ? meant.language : undefined;
}

/** Returns the rule that a key breaks if it is none of the site's languages. */
export function explainUnknownLocale(key: string, known: readonly string[]): string {
  const isLanguage = explainLocale(key) === undefined;
  const guessed = isLanguage ? undefined : guessLanguage(key);
  const country = `${guessed}-${key.toUpperCase()}`;
  const meant = known.find((name) => name === guessed || name === country) ?? closestName(key, known);
  return must('unknown-language', { known, meant, isLanguage });
}

function parseLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined; // Not a tag at all.
  }
}
