/**
 * Remembers what a function of a text returned. For addresses: the same few come all day, and looking one up again costs more
 * than the rest of an answer. Callers can invent texts, so at `maxEntries` it forgets everything.
 */
export function remember<T>(find: (text: string) => T, maxEntries = 10_000): (text: string) => T {
  const found = new Map<string, T>();
  return (text) => {
    const known = found.get(text);
    if (known !== undefined || found.has(text)) return known as T; // It is in the map, as a T.
    const result = find(text);
    if (found.size >= maxEntries) found.clear();
    found.set(text, result);
    return result;
  };
}
