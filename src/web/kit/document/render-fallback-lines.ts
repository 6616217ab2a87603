import type { PageRequest } from '../../../contract/page/page-data.ts';
import { escapeHtml } from './escape-html.ts';
import type { Texts } from '../texts/texts.ts';

/** The fallback lines as plain links, for visitors without JavaScript. */
export function renderFallbackLines({ fallbackAddresses }: PageRequest, texts: Texts): string {
  const items = fallbackAddresses.map((address, index) => {
    const name = texts.officialLine.replace('{n}', String(index + 1));
    return `<li><a href="${escapeHtml(address)}" rel="noopener">${escapeHtml(name)}</a></li>`;
  });
  return `<noscript><ol>${items.join('')}</ol></noscript>`;
}
