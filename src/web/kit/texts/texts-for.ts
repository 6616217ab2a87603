import type { PageSite } from '../../../contract/page/page-data.ts';
import { type Direction, isolateText } from '../../../contract/site/locales.ts';
import { TEXT_KEYS, type Texts } from '../../../contract/site/text-keys.ts';
import { BUILT_IN_TEXTS } from '../../../contract/site/texts/built-in-texts.ts';
import { formatText } from './format-text.ts';

/** Gives the texts of a page, with the site folder's own texts and the names of its brand. */
export function textsFor(
  { builtInTexts, texts, brand }: Pick<PageSite, 'builtInTexts' | 'texts' | 'brand'>,
  direction: Direction,
): Texts {
  const builtIn = BUILT_IN_TEXTS[builtInTexts];
  const names = {
    brand: brand.name,
    mainBrowser: brand.mainBrowser,
    androidBrowser: brand.androidBrowser,
  };
  const named = TEXT_KEYS.map((key) => {
    // Our own texts run from left to right. A page of another direction uses them where its own are missing.
    const own = direction === 'ltr' ? builtIn[key] : isolateText(builtIn[key], 'ltr');
    return [key, formatText(texts[key] ?? own, names)] as const;
  });
  // It has every key of `TEXT_KEYS`.
  return Object.fromEntries(named) as Texts;
}
