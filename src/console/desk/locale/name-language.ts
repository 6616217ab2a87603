import type { ConsoleLanguage } from '../../../contract/console-language.ts';

/** Names a language for people who do not know tags: `Simplified Chinese (zh-CN)`. Without a name, the tag is left. */
export function nameLanguage(tag: string, language: ConsoleLanguage): string {
  try {
    const locale = new Intl.Locale(tag);
    // Readers tell Chinese apart by its script, and not by its country.
    const wanted = locale.language === 'zh' ? `zh-${locale.maximize().script}` : tag;
    const name = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }).of(wanted);
    return name === undefined ? tag : `${name} (${tag})`;
  } catch {
    return tag; // It is no tag. The check of the draft says so.
  }
}
