import type { RenderPage } from '../../contract/page/page-data.ts';
import { renderStartAnswers } from '../../contract/page/start-answers.ts';
import { OFFLINE_WORKER_PATH } from '../../contract/paths.ts';
import { prepareAnswer } from '../http/prepare-answer.ts';
import type { WebBuild } from '../site/load-web-build.ts';
import { IMMUTABLE } from '../site/prepare-images.ts';

export const INLINE_SCRIPT = 'start()';
export const INLINE_STYLE = 'body{margin:0}';

/** Stands in for the web build: a page says what it was rendered with. */
export const renderFakePage: RenderPage = (request) => {
  const html = `<!doctype html><title>${request.kind} ${request.locale} ${request.closing ?? 'open'}</title>
${request.site.start === 'inline' ? renderStartAnswers() : ''}
<script>${INLINE_SCRIPT}</script><style>${INLINE_STYLE}</style>
<script type="application/json">${JSON.stringify(request)}</script>`;
  return {
    html,
    inlineScripts: [INLINE_SCRIPT],
    inlineStyles: [INLINE_STYLE],
    fill: request.isCampaign ? (fill) => `${html}\n<fill>${JSON.stringify(fill)}</fill>` : undefined,
  };
};

/** A whole web build with one asset, which is the service worker, too. */
export async function createFakeWebBuild(): Promise<WebBuild> {
  const asset = await prepareAnswer({
    body: 'console.log("waypost");\n'.repeat(50),
    type: 'text/javascript; charset=utf-8',
    headers: IMMUTABLE,
    compression: 9,
  });
  return {
    renderPage: renderFakePage,
    assets: new Map([
      ['/assets/app-1a2b3c.js', asset],
      [OFFLINE_WORKER_PATH, asset],
    ]),
    console: {
      urls: {
        script: '/assets/console-1a2b3c.js',
        signInScript: '/assets/sign-in-1a2b3c.js',
        signInStyles: [],
        styles: ['/assets/console-1a2b3c.css'],
      },
      files: new Map([['/assets/console-1a2b3c.js', asset]]),
      playerScript: 'play()',
    },
  };
}
