/** What CDNs say of an address whose country they do not know. */
const UNKNOWN = 'XX';
/** They have a code and a name, but databases of addresses name their countries. */
const UNIONS = new Set(['EU', 'EZ', 'UN']);

/**
 * Says what to write instead of two letters that no address is ever said to be in, such as "UK" for "GB": they would
 * restrict nobody. Undefined where they are a country. Completes the sentence "compliance.restrictedRegions[0] …".
 */
export function explainCountryCode(code: string): string | undefined {
  // Anything but two letters is a fault of its own.
  if (!/^[A-Z]{2}$/.test(code) || code === UNKNOWN) return undefined;
  if (UNIONS.has(code)) return 'is not a country: name each of its countries';
  const { region } = new Intl.Locale(`und-${code}`);
  if (region !== code) return `is not the code in use: write "${region}"`;
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  return names.of(code) === undefined ? 'is not the code of a country (ISO 3166-1)' : undefined;
}
