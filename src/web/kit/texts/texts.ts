import type { TextKey } from '../../../contract/site/text-keys.ts';

/** The texts of one language. The type check finds a missing one. */
export type Texts = Readonly<Record<TextKey, string>>;

/** Replaces each `{name}` in a text by its value. One without a value stays. */
export function formatText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
