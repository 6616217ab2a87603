import type { Locale } from '../../contract/site/locales.ts';

/** Finds the language of a site that fits a language tag best. Undefined if the site does not have that language at all. */
export type MatchLocale<Name extends Locale = Locale> = (tag: string) => Name | undefined;

/**
 * Matches language tags with a list of languages. Of the same language, those of the same script fit best
 * (zh-HK is zh-TW, not zh-CN). Of these, it is the tag itself or the tag without its last parts (RFC 4647, 3.4), else the
 * first in the list (pt is pt-BR).
 *
 * Tags come from visitors, many at a time: one of another language costs a single lookup.
 */
export function createMatchLocale<Name extends Locale>(locales: readonly Name[]): MatchLocale<Name> {
  const candidates = locales.map((locale) => ({ locale, tag: locale.toLowerCase() }));
  const byLanguage = new Map(
    candidates.map(({ tag }) => [
      languageOf(tag),
      candidates.filter((other) => languageOf(other.tag) === languageOf(tag)),
    ]),
  );
  return (given) => {
    const wanted = given.toLowerCase();
    const fitting = byLanguage.get(languageOf(wanted)) ?? [];
    const sameScript = fitting.filter(({ tag }) => scriptOf(tag) === scriptOf(wanted));
    const [best] = (sameScript.length > 0 ? sameScript : fitting).toSorted(
      (one, other) => countShared(other.tag, wanted) - countShared(one.tag, wanted),
    );
    return best?.locale;
  };
}

function languageOf(tag: string): string {
  return tag.split('-', 1)[0] ?? '';
}

/** The script that a tag names, or for Chinese the one of the region. */
function scriptOf(tag: string): string {
  const script = /^[a-z]+-([a-z]{4})\b/.exec(tag)?.[1];
  if (script !== undefined || languageOf(tag) !== 'zh') return script ?? '';
  return /^zh-(?:tw|hk|mo)\b/.test(tag) ? 'hant' : 'hans';
}

/** How many characters of the wanted tag are this tag, if it starts with it. */
function countShared(tag: string, wanted: string): number {
  return `${wanted}-`.startsWith(`${tag}-`) ? tag.length : 0;
}
