import noteScript from '../../../dist/web/offline-note/offline-note.js?raw';
import type { Texts } from '../../contract/site/text-keys.ts';
import { escapeHtml } from '../../contract/escape-html.ts';
import { writeNoteStyle } from '../kit/document/plain-html.ts';
import { formatText } from '../kit/texts/format-text.ts';
import { AGE_ELEMENT } from './fill-shell.ts';

/** The script of the note, see `note.ts`. */
export const NOTE_SCRIPT = noteScript.trim();

export const NOTE_STYLE = `${writeNoteStyle('offline-note')}
#offline-note a{color:var(--accent-text)}`;

/** Renders the note above the page that says how old its lines are, and later that the portal is back. */
export function renderOfflineNote(texts: Texts): string {
  return renderNote(formatText(escapeHtml(texts.offline), { age: AGE_ELEMENT }), texts);
}

/** Renders the note that says later that the portal is back, in a page without lines. */
export function renderPortalBack(texts: Texts): string {
  return renderNote('', texts);
}

function renderNote(html: string, { offlineOver }: Texts): string {
  return [
    '<p id="offline-note" role="status">',
    `<span>${html}</span>`,
    `<a href="" hidden>${escapeHtml(offlineOver)}</a>`,
    '</p>\n',
  ].join('');
}
