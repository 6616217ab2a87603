import * as v from 'valibot';
import { readRule, writeRule } from '../faults/site-fault.ts';
import { explainFirst } from './closest-name.ts';
import { FALLBACK_KEY, type Languages, type Locale, explainUnknownLocale } from './locales.ts';
import { createPath } from './site-values.ts';

/** A value that is not the same in every language. */
export type ByLocale = {
  readonly kind: 'by-locale';
  /** For the languages that have no value of their own. */
  readonly fallback: string;
  readonly values: Readonly<Record<Locale, string>>;
};

/** The same for one language: each value by language is the plain value of that language. */
export type Localized<T> = T extends ByLocale ? string : { readonly [Key in keyof T]: Localized<T[Key]> };

/** A value that may be plain, or an object with one for each language: `{ "default": "…", "en": "…" }`. */
export function byLocale(
  schema: v.GenericSchema<string, string>,
  languages: Languages,
): v.GenericSchema<string | Readonly<Record<string, string>>, string | ByLocale> {
  const values = v.pipe(
    v.record(localeKey(languages, [FALLBACK_KEY]), schema),
    v.rawCheck(({ dataset: { value }, addIssue }) => {
      if (typeof value !== 'object' || value === null) return;
      if (FALLBACK_KEY in value || languages.defaultLocale in value) return;
      addIssue({ input: undefined, path: createPath([FALLBACK_KEY], value) });
    }),
    v.transform((given) => createByLocale(given, languages)),
  );
  return v.union([schema, values], ({ issues }) => {
    const [first] = issues ?? [];
    return writeRule({ ...(readRule(first?.message ?? '') ?? { kind: 'not-valid' }), orByLanguage: true });
  });
}

/** A key of an object by language. */
export function localeKey(
  { locales }: Languages,
  others: readonly string[] = [],
): v.GenericSchema<string, string> {
  const known = [...others, ...locales];
  const explain = explainFirst((key) => explainUnknownLocale(key, known));
  return v.pipe(
    v.string(),
    v.check(
      (key) => known.includes(key),
      ({ input }) => explain(input),
    ),
  );
}

/** Makes a value by language of its object in a file. Without a fallback, the other languages have an empty one. */
export function createByLocale(
  { [FALLBACK_KEY]: fallback, ...values }: Readonly<Record<string, string>>,
  { defaultLocale }: Languages,
): ByLocale {
  return { kind: 'by-locale', fallback: fallback ?? values[defaultLocale] ?? '', values };
}

/** Whether something is a value by language. */
export function isByLocale(value: unknown): value is ByLocale {
  return (Object(value) as Partial<ByLocale>).kind === 'by-locale';
}

/** The value for one language. */
export function pickLocale(value: string | ByLocale, locale: Locale): string {
  return isByLocale(value) ? (value.values[locale] ?? value.fallback) : value;
}
