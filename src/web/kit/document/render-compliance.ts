import type { PageRequest } from '../../../contract/page/page-data.ts';
import { escapeHtml } from './escape-html.ts';
import { renderLink } from './render-link.ts';
import { formatText } from '../texts/format-text.ts';
import type { Texts } from '../texts/texts.ts';

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
