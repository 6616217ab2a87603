import { escapeHtml } from '../../contract/escape-html.ts';
import { chooseTexts } from './texts.ts';

const STYLE = `
:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:1rem/1.6 system-ui,sans-serif}
main{max-width:30rem;padding:2rem}
h1{text-wrap:balance}
a{display:inline-block;padding:0 1.5rem;border-radius:22px;background:CanvasText;color:Canvas;font-weight:600;line-height:44px;text-decoration:none}
`.trim();

export type LostPage = {
  /** What the visitor has to know: that the outcome of a form is not known, or what they can do. */
  readonly note: 'unsure' | 'checkNetwork';
  /** What the link does: it leads to a sibling, loads the page again, or leads back to the form. */
  readonly link: 'goOn' | 'again' | 'back';
  readonly address: string;
};

/** The page that a visitor sees instead of one of a lost line. It says what is known, and nothing moves without a click. */
export function renderLostPage({ note, link, address }: LostPage, languages: readonly string[]): Response {
  const texts = chooseTexts(languages);
  const html = `<!doctype html><html lang="${texts.language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${texts.lost}</title><style>${STYLE}</style>
<main><h1>${texts.lost}</h1><p>${texts[note]}</p><p><a href="${escapeHtml(address)}">${texts[link]}</a></p></main></html>`;
  return new Response(html, {
    status: 503,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    },
  });
}
