/** Replaces each `{name}` in a text by its value. One without a value stays. */
export function formatText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
