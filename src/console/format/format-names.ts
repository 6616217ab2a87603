import type { ConsoleLanguage } from '../../contract/console-language.ts';
import { writeRange } from '../../contract/write-range.ts';
import type { Texts } from '../locale/en.ts';

/** Writes a host without its scheme. */
export function formatHost(host: string): string {
  return host.replace(/^https?:\/\//, '');
}

/** Writes a network: "GB/AS2856" as "GB AS2856", "/198.51" as "198.51.0.0/16", "/2001:db8" as "2001:db8::/32". */
export function formatNetwork(area: string, texts: Pick<Texts, 'anyOtherNetwork'>): string {
  const at = area.indexOf('/');
  const [country, network] = [area.slice(0, at), area.slice(at + 1)];
  return [country, network === '' ? texts.anyOtherNetwork : writeRange(network)].filter(Boolean).join(' ');
}

/** Names a country in the language of the console: "GB" as "United Kingdom". What is no code stays as it is. */
export function formatCountry(code: string, language: ConsoleLanguage): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;
}
