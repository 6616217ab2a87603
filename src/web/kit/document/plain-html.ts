import { escapeHtml } from '../../../contract/escape-html.ts';
import type { PageRequest, PageSite } from '../../../contract/page/page-data.ts';
import type { Texts } from '../../../contract/site/text-keys.ts';
import { formatText } from '../texts/format-text.ts';

/** Renders a link. */
export function renderLink(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}

/** Renders a path of the site for other programs: as a whole address, if the site says where it is. */
export function renderAddress(path: string, { publicUrl }: Pick<PageSite, 'publicUrl'>): string {
  return escapeHtml(publicUrl === '' ? path : new URL(path, publicUrl).href);
}

/** Writes the style of a note above the page. */
export function writeNoteStyle(id: string): string {
  return `#${id}{margin:0;padding:.5rem 1rem;background:var(--surface);color:var(--muted);font-size:.875rem;text-align:center}`;
}

/** A line may end with the dot, but not begin with it. */
const SEPARATOR = '\u00A0· ';

/** Renders the footer of a page without React: age limit, operator, licence, and help for players. */
export function renderCompliance({ site }: PageRequest, texts: Texts): string {
  const { operator, licence, minimumAge, responsiblePlayUrl } = site.compliance;
  return [
    '<footer>',
    `<p>${escapeHtml(formatText(texts.ageLimit, { n: minimumAge }))}`,
    `${SEPARATOR}<bdi>${escapeHtml(operator)}</bdi>`,
    `${SEPARATOR}<bdi>${renderLink(licence.url, licence.statement)}</bdi>`,
    `${SEPARATOR}${renderLink(responsiblePlayUrl, texts.responsiblePlay)}</p>`,
    '</footer>',
  ].join('');
}
