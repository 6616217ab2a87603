import { CONSOLE_PATHS, LANDING_PATH } from '../../../contract/paths.ts';
import { answerJson, answerPrepared, createJsonHeaders } from '../../http/answer.ts';
import type { Answer, App } from '../../http/exchange.ts';
import { HttpError } from '../../http/http-error.ts';
import { refuseMethod, refuseUnknownPath } from '../../http/refusals.ts';
import { DATA_HEADERS } from '../../http/security-headers.ts';
import { type Visit, readVisit } from '../../portal/visit.ts';
import type { ConsoleBuild } from '../../site/load-web-build.ts';
import type { PublishedSite } from '../../site/publish-site.ts';
import { describeLines } from './describe-lines.ts';
import { describeLineDetail } from './describe-line.ts';
import { describeNetworks } from './describe-networks.ts';
import { describeOverview } from './describe-overview.ts';
import { describeWhy } from './describe-why.ts';
import { answerHtml, answerSeeOther } from './answer-page.ts';
import type { Access } from '../access/guard-access.ts';
import type { Feed } from './open-feed.ts';
import { renderConsolePage, renderLoginPage } from './render-pages.ts';
import type { ConsoleSources } from './sources.ts';

export type ConsoleDeps = {
  readonly sources: Omit<ConsoleSources, 'site'> & { readonly site: () => PublishedSite };
  readonly access: Access;
  readonly feed: Feed;
  readonly build: ConsoleBuild;
};

type Handler = (visit: Visit) => Answer | Promise<Answer>;

const MAX_FORM_BYTES = 4_096;
/** As an area is written, see `area.ts`. */
const NETWORK = /^[A-Z]{0,2}\/[\w.:]{0,23}$/;

/** The operator's console: its page, the JSON behind it, and the way in. Throws what is to be answered as an error. */
export function createConsoleApp({ sources, access, feed, build }: ConsoleDeps): App {
  const gets = new Map<string, Handler>([
    [LANDING_PATH, answerConsole],
    [
      CONSOLE_PATHS.overview,
      json(() => describeOverview(sources, { version: feed.version(), access: access.kind })),
    ],
    [CONSOLE_PATHS.lines, json(() => describeLines(sources))],
    [CONSOLE_PATHS.networks, json(() => describeNetworks(sources))],
    [CONSOLE_PATHS.why, json(({ request }) => describeWhy(readNetwork(request.query), sources))],
    [CONSOLE_PATHS.events, guarded(({ request }) => answerEvents(access.nameCaller(request)))],
  ]);
  const posts = new Map<string, Handler>([
    [CONSOLE_PATHS.login, logIn],
    [CONSOLE_PATHS.logout, logOut],
  ]);

  return (request) => {
    const { method, path } = request;
    const visit = readVisit(request, sources.site());
    const handler = findGet(path) ?? posts.get(path);
    if (handler === undefined) throw refuseUnknownPath();
    const isPost = posts.has(path);
    if (isPost !== (method === 'POST') || !/^(?:GET|HEAD|POST)$/.test(method)) {
      throw refuseMethod(isPost ? 'POST' : 'GET, HEAD');
    }
    return handler(visit);
  };

  function findGet(path: string): Handler | undefined {
    const asset = build.files.get(path);
    // No secrets are in the built files, and the login form needs their style.
    if (asset !== undefined) return (visit) => answerPrepared(visit, asset);
    const prefix = `${CONSOLE_PATHS.lines}/`;
    return path.startsWith(prefix)
      ? json(() => describeKnownLine(path.slice(prefix.length)))
      : gets.get(path);
  }

  function describeKnownLine(id: string): object {
    const detail = describeLineDetail(id, sources);
    if (detail === undefined) {
      throw new HttpError(404, { code: 'unknown-line', message: `No line of this site has the id "${id}".` });
    }
    return detail;
  }

  function json(describe: (visit: Visit) => object): Handler {
    return guarded((visit) => answerJson(JSON.stringify(describe(visit)), createJsonHeaders(visit.isSecure)));
  }

  function guarded(handler: Handler): Handler {
    return (visit) => {
      access.check(visit.request);
      return handler(visit);
    };
  }

  function answerConsole(visit: Visit): Answer {
    try {
      access.check(visit.request);
    } catch (error) {
      if (error instanceof HttpError && error.status === 401) return answerLogin(visit, { status: 401 });
      throw error;
    }
    return answerHtml(visit, renderConsolePage(build.urls), { status: 200 });
  }

  function answerEvents(caller: string): Answer {
    const headers = { ...DATA_HEADERS, 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' };
    return { status: 200, headers, body: feed.open(caller) };
  }

  async function logIn(visit: Visit): Promise<Answer> {
    const { request, isSecure } = visit;
    access.checkForm(request);
    const form = new URLSearchParams((await request.readBody(MAX_FORM_BYTES)) ?? '');
    try {
      const cookie = access.logIn(form.get('token') ?? '', request, isSecure);
      if (cookie !== undefined) return answerSeeOther(isSecure, cookie);
      return answerLogin(visit, { status: 401, problem: 'That is not the token.' });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return answerLogin(visit, { status: error.status, problem: error.message, headers: error.headers });
    }
  }

  function logOut({ request, isSecure }: Visit): Answer {
    access.checkForm(request);
    feed.endStreamsOf(access.nameCaller(request));
    return answerSeeOther(isSecure, access.logOut(request, isSecure));
  }

  function answerLogin(
    visit: Visit,
    answer: { readonly status: number; readonly problem?: string; readonly headers?: Answer['headers'] },
  ): Answer {
    const headers = { 'WWW-Authenticate': 'Bearer', ...answer.headers };
    return answerHtml(visit, renderLoginPage(build.urls, answer.problem), { status: answer.status, headers });
  }
}

function readNetwork(query: string): string | undefined {
  const network = new URLSearchParams(query).get('network') || undefined;
  if (network === undefined || NETWORK.test(network)) return network;
  throw new HttpError(400, {
    code: 'network-invalid',
    message: 'A network is a country, a slash and a number or range, such as GB/AS2856 or /198.51.',
  });
}
