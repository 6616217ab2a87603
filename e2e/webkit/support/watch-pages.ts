import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { Front, PassingPage } from '../../support/start-front.ts';

/**
 * What the pages of a front tell of themselves, by a script that is written into them. WebDriver cannot read the console, and a
 * script that it sends while one document takes the place of another may never be answered.
 */
export type PageWatch = {
  /** What the pages complained about. */
  readonly errors: readonly string[];
  /** Resolves when the next document has been read, or has come back out of the back/forward cache. */
  readonly nextArrival: () => Promise<void>;
};

const ERROR_PATH = '/page-error';
const ARRIVAL_PATH = '/page-arrival';
/** Less than a test's own limit, so that the error says what did not come. */
const ARRIVAL_TIMEOUT_MS = 30_000;

/** Comes before the page's own scripts. Its requests are synchronous: no error is lost when the page goes. */
const SCRIPT = `(() => {
  const tell = (path, body) => {
    const request = new XMLHttpRequest();
    request.open('POST', path, false);
    request.send(body);
  };
  addEventListener('DOMContentLoaded', () => tell('${ARRIVAL_PATH}'));
  addEventListener('pageshow', ({ persisted }) => { if (persisted) tell('${ARRIVAL_PATH}'); });
  const note = (error) => tell('${ERROR_PATH}', location.pathname + ': ' + error);
  addEventListener('error', ({ message, target }) => note(message || 'did not load ' + (target.src || target.href)), true);
  addEventListener('unhandledrejection', ({ reason }) => note('unhandled rejection: ' + reason));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    note('against the policy: ' + violatedDirective + ' ' + blockedURI + ' ' + sample));
  const { error } = console;
  console.error = (...args) => { note(args.join(' ')); error.apply(console, args); };
})()`;
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');

/** Where no script runs, the document asks for an image. */
const IMAGE = `<noscript><img src="${ARRIVAL_PATH}" alt="" hidden></noscript>`;

/** Writes into a page what makes it tell of itself. */
export function makeTalkative({ html, headers }: PassingPage): PassingPage {
  const policy = headers['content-security-policy'];
  return {
    html: html.replace('<head>', `<head><script>${SCRIPT}</script>`).replace('</body>', `${IMAGE}</body>`),
    headers: {
      ...headers,
      'content-security-policy': String(policy).replace('script-src ', `script-src 'sha256-${SCRIPT_HASH}' `),
    },
  };
}

/** Listens to the pages of a front that are made talkative. */
export function watchPages(front: Front): PageWatch {
  const errors: string[] = [];
  const arrivals = new EventEmitter();
  front.route(new RegExp(`^${ERROR_PATH}`), (error) => errors.push(error));
  front.route(new RegExp(`^${ARRIVAL_PATH}`), () => arrivals.emit('arrival'));
  return {
    errors,
    async nextArrival() {
      try {
        await once(arrivals, 'arrival', { signal: AbortSignal.timeout(ARRIVAL_TIMEOUT_MS) });
      } catch (error) {
        throw new Error(`no page arrived within ${ARRIVAL_TIMEOUT_MS} ms`, { cause: error });
      }
    },
  };
}
