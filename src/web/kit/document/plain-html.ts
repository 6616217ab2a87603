import type { PageRequest } from '../../../contract/page/page-data.ts';
import { type Texts, formatText } from '../texts/texts.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes a text safe inside an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Renders a link. */
export function renderLink(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}

/** The footer of a plain page: the age limit, who runs the site, under which licence, and where to find help. */
export function renderCompliance({ site }: PageRequest, texts: Texts): string {
  const { operator, licence, minimumAge, responsiblePlayUrl } = site.compliance;
  return [
    '<footer>',
    `<p>${escapeHtml(formatText(texts.ageLimit, { n: minimumAge }))}`,
    ` · ${escapeHtml(operator)}`,
    ` · ${renderLink(licence.url, licence.statement)}`,
    ` · ${renderLink(responsiblePlayUrl, texts.responsiblePlay)}</p>`,
    '</footer>',
  ].join('');
}
