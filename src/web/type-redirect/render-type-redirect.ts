import type { PageRequest } from '../../contract/page-data.ts';
import { escapeHtml } from '../escape-html.ts';
import type { Texts } from '../texts.ts';

/** `/t/{target}`: a progress text, then the button or the message. */
export function renderTypeRedirect({ isRestricted }: PageRequest, texts: Texts): string {
  if (isRestricted) return `<main><p>${escapeHtml(texts.restricted)}</p></main>`;
  return [
    '<main>',
    `<p id="progress" role="status">${escapeHtml(texts.choosing)}</p>`,
    `<p><button id="enter" type="button" hidden>${escapeHtml(texts.enter)}</button></p>`,
    '<div id="message" role="alert" hidden>',
    `<p>${escapeHtml(texts.targetFailed)}</p>`,
    `<p><button id="again" type="button">${escapeHtml(texts.tryAgain)}</button>`,
    `<a href="/">${escapeHtml(texts.home)}</a></p>`,
    '</div></main>',
  ].join('\n');
}
