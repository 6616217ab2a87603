import { once } from 'node:events';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  createServer,
  request,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { listenOnLoopback } from './listen-on-loopback.ts';

/**
 * A server before a portal, as a CDN is. It notes, holds back and replaces answers, where the browser's own driver cannot:
 * WebDriver has no such command. Playwright's command hides from Chromium that the answer came from loopback, and then
 * Chromium blocks requests to lines on loopback.
 */
export type Front = {
  readonly url: string;
  /** The paths that were asked for, in their order. */
  readonly requests: readonly string[];
  /** Answers later requests for such paths in the portal's place. The returned function ends the rule. */
  readonly route: (path: RegExp, answer: Answer) => () => void;
  /** Holds requests for such paths back, until the returned function is called. */
  readonly holdBack: (path: RegExp) => () => void;
  /** Never answers the next request for such a path, as a connection that has stalled. */
  readonly stallNext: (path: RegExp) => void;
  readonly close: () => void;
};

type FixedAnswer = { readonly status?: number; readonly json?: unknown };
/** A function is called with the body of the request, which is answered with a 204. */
type Answer = FixedAnswer | ((body: string) => void);

/** A page on its way from the portal to the browser. */
export type PassingPage = { readonly html: string; readonly headers: IncomingHttpHeaders };

export type FrontOptions = {
  /** Added to every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Changes every page. */
  readonly changePage?: (page: PassingPage) => PassingPage;
};

/** Starts a server that passes requests on to a portal. */
export async function startFront(
  portalUrl: string,
  { headers = {}, changePage = (page) => page }: FrontOptions,
): Promise<Front> {
  const requests: string[] = [];
  const rules = new Map<RegExp, Answer | Promise<void>>();
  const stalls = new Set<RegExp>();

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = incoming.url ?? '/';
    requests.push(path);
    const stall = [...stalls].find((pattern) => pattern.test(path));
    if (stall) return void stalls.delete(stall);
    const rule = [...rules].find(([pattern]) => pattern.test(path))?.[1];
    if (typeof rule === 'function') {
      rule(await text(incoming));
      return void outgoing.writeHead(204).end();
    }
    if (rule !== undefined && !(rule instanceof Promise)) return sendAnswer(outgoing, rule);
    await rule;
    await passOn(incoming, outgoing);
  }

  async function passOn(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const asked = request(portalUrl + (incoming.url ?? '/'), {
      method: incoming.method,
      headers: {
        ...incoming.headers,
        ...headers,
        // A page is changed below, which works on plain text only.
        'accept-encoding': 'identity',
      },
    });
    outgoing.once('close', () => asked.destroy());
    incoming.pipe(asked);
    const [answered] = (await once(asked, 'response')) as [IncomingMessage];
    const { statusCode = 502 } = answered;
    if (answered.headers['content-type']?.startsWith('text/html') !== true) {
      outgoing.writeHead(statusCode, answered.headers);
      return pipeline(answered, outgoing);
    }
    // The tag is that of the page before the change: a 304 would bring the policy of that one.
    const { 'content-length': _, etag: _tag, ...kept } = answered.headers;
    const page = changePage({ html: await text(answered), headers: kept });
    outgoing.writeHead(statusCode, page.headers).end(page.html);
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  const port = await listenOnLoopback(server);
  const route = (path: RegExp, rule: Answer | Promise<void>): (() => void) => {
    rules.set(path, rule);
    return () => void rules.delete(path);
  };
  return {
    url: `http://localhost:${port}`,
    requests,
    route,
    stallNext: (path) => void stalls.add(path),
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

function sendAnswer(outgoing: ServerResponse, { status = 200, json = {} }: FixedAnswer): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}
