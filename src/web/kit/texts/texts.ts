import type { TextKey } from '../../../contract/site/text-keys.ts';

/** The texts of one language: a locale without one of them does not pass the type check. */
export type Texts = Readonly<Record<TextKey, string>>;

/** Puts values in the places of a text, `{name}` by name. A place without a value stays as it is. */
export function formatText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
