import { escapeHtml } from './escape-html.ts';

export function renderLink(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}
