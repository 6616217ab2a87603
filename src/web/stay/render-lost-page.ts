import { escapeHtml } from '../../contract/escape-html.ts';
import { chooseTexts } from './texts.ts';

const STYLE = `
:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:1rem/1.6 system-ui,sans-serif}
main{max-width:30rem;padding:2rem}
h1{text-wrap:balance}
a{display:inline-block;padding:0 1.5rem;border-radius:22px;background:CanvasText;color:Canvas;font-weight:600;line-height:44px;text-decoration:none}
`.trim();

/** The page that a visitor sees after a form could not be sent: it says so, and leads to a sibling by a click. */
export function renderLostPage(address: string, languages: readonly string[]): Response {
  const { language, lost, unsure, goOn } = chooseTexts(languages);
  const html = `<!doctype html><html lang="${language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${lost}</title><style>${STYLE}</style>
<main><h1>${lost}</h1><p>${unsure}</p><p><a href="${escapeHtml(address)}">${goOn}</a></p></main></html>`;
  return new Response(html, {
    status: 503,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    },
  });
}
