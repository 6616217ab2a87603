import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

/**
 * A server before the portal, as a CDN is. WebDriver can neither change a request nor read the console, so this one does: it
 * notes, holds back and replaces answers, and has each page tell it of its errors.
 */
export type Front = {
  readonly url: string;
  /** The paths that were asked for, in their order. */
  readonly requests: readonly string[];
  /** What the pages complained about. */
  readonly errors: readonly string[];
  /** Answers later requests for such paths in the portal's place. The returned function has the portal answer again. */
  readonly route: (path: RegExp, answer: Answer) => () => void;
  /** Holds requests for such paths back, until the returned function is called. */
  readonly holdBack: (path: RegExp) => () => void;
  readonly close: () => void;
};

type Answer =
  /** Closes the connection. */
  'abort' | { readonly status?: number; readonly json?: unknown };

const ERRORS_PATH = '/page-errors';

/** Written into every page, before its own scripts. The request is synchronous: no error is lost when the page goes. */
const WATCH_ERRORS = `(() => {
  const note = (error) => {
    const request = new XMLHttpRequest();
    request.open('POST', '${ERRORS_PATH}', false);
    request.send(location.pathname + ': ' + error);
  };
  addEventListener('error', ({ message, target }) => note(message || 'did not load ' + (target.src || target.href)), true);
  addEventListener('unhandledrejection', ({ reason }) => note('unhandled rejection: ' + reason));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    note('against the policy: ' + violatedDirective + ' ' + blockedURI + ' ' + sample));
  const { error } = console;
  console.error = (...args) => { note(args.join(' ')); error.apply(console, args); };
})()`;
const WATCH_HASH = createHash('sha256').update(WATCH_ERRORS).digest('base64');

/** Starts a server that passes requests on to the portal, with these headers added. */
export async function startFront(
  portalUrl: string,
  headers: Readonly<Record<string, string>>,
): Promise<Front> {
  const requests: string[] = [];
  const errors: string[] = [];
  const rules = new Map<RegExp, Answer | Promise<void>>();

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = incoming.url ?? '/';
    if (path === ERRORS_PATH) {
      errors.push(await text(incoming));
      outgoing.writeHead(204).end();
      return;
    }
    requests.push(path);
    const rule = [...rules].find(([pattern]) => pattern.test(path))?.[1];
    if (rule === 'abort') return void incoming.socket.destroy();
    if (rule !== undefined && !(rule instanceof Promise)) return sendAnswer(outgoing, rule);
    await rule;
    await passOn(incoming, outgoing);
  }

  async function passOn(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const isDocument = incoming.headers.accept?.includes('text/html') === true;
    const asked = request(portalUrl + (incoming.url ?? '/'), {
      method: incoming.method,
      headers: {
        ...incoming.headers,
        ...headers,
        // A document is changed below, which works on plain text only.
        ...(isDocument ? { 'accept-encoding': 'identity' } : {}),
      },
    });
    outgoing.once('close', () => asked.destroy());
    incoming.pipe(asked);
    const [answered] = (await once(asked, 'response')) as [IncomingMessage];
    if (answered.headers['content-type']?.startsWith('text/html') !== true) {
      outgoing.writeHead(answered.statusCode ?? 502, answered.headers);
      return pipeline(answered, outgoing);
    }
    const { 'content-length': _, 'content-security-policy': policy, ...kept } = answered.headers;
    outgoing.writeHead(answered.statusCode ?? 502, {
      ...kept,
      'content-security-policy': String(policy).replace('script-src ', `script-src 'sha256-${WATCH_HASH}' `),
    });
    const page = await text(answered);
    outgoing.end(page.replace('<head>', `<head><script>${WATCH_ERRORS}</script>`));
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => incoming.socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address of this shape.
  const { port } = server.address() as AddressInfo;
  const route = (path: RegExp, rule: Answer | Promise<void>): (() => void) => {
    rules.set(path, rule);
    return () => void rules.delete(path);
  };
  return {
    url: `http://localhost:${port}`,
    requests,
    errors,
    route,
    holdBack(path) {
      let release = (): void => undefined;
      const forget = route(path, new Promise((resolve) => (release = resolve)));
      return () => {
        forget();
        release();
      };
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function sendAnswer(outgoing: ServerResponse, { status = 200, json = {} }: Exclude<Answer, 'abort'>): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}
