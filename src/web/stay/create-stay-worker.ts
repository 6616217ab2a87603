import { readClosing } from '../../contract/api/closing.ts';
import { GATEWAY_FAULTS } from '../../contract/api/gateway-faults.ts';
import { STAY_FAILURES, STAY_HANG_MS } from '../../contract/limits.ts';
import { HOLD, type Hold, type LineLost } from '../../contract/line/stay-messages.ts';
import { DAY_MS } from '../../contract/time-units.ts';
import type { Effects } from '../../engine/effects/effects.ts';
import { neverAborts } from '../../engine/effects/link-abort.ts';
import { wait } from '../../engine/effects/wait.ts';
import { createReport } from '../../engine/portal/create-report.ts';
import { PLAIN_REQUEST } from '../../engine/probe/probe-line.ts';
import { askForSiblings, findSibling } from '../../engine/redirect/find-sibling.ts';
import type { WorkerRequest } from '../kit/worker-scope.ts';
import { createSiblingKeeper } from './keep-siblings.ts';
import { type LostPage, renderLostPage } from './render-lost-page.ts';

export type StayWorkerDeps = Omit<Effects, 'fetch'> & {
  /** Scheme, host and port of the line. */
  readonly own: string;
  readonly caches: Pick<CacheStorage, 'open'>;
  readonly fetch: typeof fetch;
  /** Whether the browser itself sends each navigation at the same time, and gives the worker's fetch the same answer. */
  readonly isRaced: boolean;
  /**
   * True if a navigation may fail: the browser then shows its own error. Firefox instead sends the request again, a form too, and removes the
   * worker after three such failures: https://bugzilla.mozilla.org/show_bug.cgi?id=1503072
   */
  readonly mayFail: boolean;
  /** The visitor's languages, the best first. */
  readonly languages: readonly string[];
  /** Sends a message to every open page of the line. */
  readonly tellPages: (message: LineLost | Hold) => Promise<void>;
};

export type StayWorker = {
  /** Answers a request. Undefined if the browser must send it as if there were no worker. */
  readonly answer: (event: WorkerRequest) => Promise<Response> | undefined;
  /** Asks the portal for siblings and keeps them, at most once an hour. */
  readonly keep: (portal: string) => Promise<void>;
};

/** Pass-through would take their progress away, or keep the worker running. */
const UNWATCHED = /multipart\/form-data|text\/event-stream/;
/** Firefox ends a worker 60 s after its last event, and sends what the worker still waits for again. The search for a sibling takes 12 s. */
const LONGEST_WAIT_MS = 40_000;
/** So often a page is asked for an event while its request is under way, so that Firefox does not end the worker. */
const HOLD_EVERY_MS = 20_000;

/** The service worker of a line: it passes everything on, and finds the visitor another line when this one is lost. */
export function createStayWorker(deps: StayWorkerDeps): StayWorker {
  const { own, now, setTimer } = deps;
  const keeper = createSiblingKeeper(deps.caches, now);
  let failures = 0;
  return {
    answer(event) {
      const { request } = event;
      if (request.mode === 'navigate') {
        if (request.destination !== 'document') return undefined;
        if (request.method === 'GET') return answerNavigation(event);
        return isUnwatched(request) ? undefined : answerForm(event);
      }
      return isWatched(request, own) ? watchRequest(event) : undefined;
    },
    async keep(portal) {
      if (!(await keeper.open(portal))) return;
      const siblings = await askForSiblings(fetchFrom(portal), setTimer, neverAborts());
      if (typeof siblings === 'object') await keeper.write(siblings);
    },
  };

  async function answerNavigation(event: WorkerRequest): Promise<Response> {
    const ask = new AbortController();
    // Chromium keeps the connection of a race that hangs, and opens six to a host. A signal would change a request that is sent from here.
    const init = deps.isRaced ? { signal: ask.signal } : undefined;
    const asked = inTime(
      event.preloadResponse.then((preloaded) => preloaded ?? deps.fetch(event.request, init)),
    );
    const isAnswered = asked.then(isAnswer, () => false);
    const isThere = await Promise.race([isAnswered, wait(STAY_HANG_MS, neverAborts(), setTimer)]);
    if (isThere === undefined) {
      // The line hangs. Its late answer is used if it comes before the visitor is moved.
      const search = new AbortController();
      const moved = await Promise.race([isAnswered, move(event, search.signal)]);
      search.abort();
      if (typeof moved === 'object') {
        ask.abort();
        return moved;
      }
    }
    if (await isAnswered) return asked;
    const moved = await move(event, neverAborts());
    return moved ?? passOn(asked, { note: 'checkNetwork', link: 'again', address: urlOf(event.request) });
  }

  /** Leads to a sibling if this line is lost: same path, query and hash. */
  async function move(event: WorkerRequest, signal: AbortSignal): Promise<Response | undefined> {
    const found = await search(event, signal, 'moves');
    return found === undefined ? undefined : Response.redirect(addressAt(found, event.request.url), 302);
  }

  /** Sends a form once and never again: even if it failed, it may have taken effect. */
  async function answerForm(event: WorkerRequest): Promise<Response> {
    const asked = inTime(deps.fetch(event.request));
    if (await asked.then(isAnswer, () => false)) return asked;
    const found = await search(event, neverAborts());
    const { referrer } = event.request;
    // The page with the form, because the sibling may not know the form's own address without what was sent.
    const page = referrer.startsWith(`${own}/`) ? referrer : urlOf(event.request);
    if (found === undefined) return passOn(asked, { note: 'unsure', link: 'back', address: page });
    return renderLostPage({ note: 'unsure', link: 'goOn', address: addressAt(found, page) }, deps.languages);
  }

  /** Gives up an answer that takes too long for a browser in which nothing may fail. */
  function inTime(asked: Promise<Response>): Promise<Response> {
    if (deps.mayFail) return asked;
    const limit = wait(LONGEST_WAIT_MS, neverAborts(), setTimer).then(() =>
      Promise.reject(new Error('too late')),
    );
    return Promise.race([asked, limit]);
  }

  /** The line's own failure, or a page of ours where the browser takes none. */
  function passOn(asked: Promise<Response>, instead: LostPage): Promise<Response> {
    return deps.mayFail ? asked : asked.catch(() => renderLostPage(instead, deps.languages));
  }

  function watchRequest(event: WorkerRequest): Promise<Response> {
    const { request } = event;
    const asked = deps.fetch(request);
    // A page that aborts its own request says nothing about the line.
    const isFailed = asked.then(
      (answer) => !isAnswer(answer),
      () => !request.signal.aborted,
    );
    event.waitUntil(isFailed.then((failed) => noteRequest(event, failed)));
    if (!deps.mayFail) event.waitUntil(hold(isFailed));
    return asked;
  }

  /** Keeps the worker running while a page waits for an answer. */
  async function hold(answered: Promise<unknown>): Promise<void> {
    const waiting = new AbortController();
    void answered.then(() => waiting.abort());
    for (;;) {
      await wait(HOLD_EVERY_MS, waiting.signal, setTimer);
      if (waiting.signal.aborted) return;
      await deps.tellPages(HOLD);
    }
  }

  async function noteRequest(event: WorkerRequest, isFailed: boolean): Promise<void> {
    failures = isFailed ? failures + 1 : 0;
    if (failures !== STAY_FAILURES) return;
    const address = await search(event, neverAborts());
    failures = 0;
    if (address !== undefined) await deps.tellPages({ type: 'waypost:line-lost', address });
  }

  /** The address of a proven sibling, if this line is lost. Tells the portal about both. */
  async function search(
    event: WorkerRequest,
    signal: AbortSignal,
    then?: 'moves',
  ): Promise<string | undefined> {
    const kept = await keeper.read().catch(() => undefined);
    if (!kept) return undefined;
    const fetchPortal = fetchFrom(kept.portal);
    const report = createReport({
      now,
      sendBeacon: (path, body) =>
        event.waitUntil(fetchPortal(path, { method: 'POST', body, mode: 'no-cors', keepalive: true })),
    });
    const settings = { kept: kept.siblings, fetchPortal, report, today: Math.floor(now() / DAY_MS), signal };
    // Whatever breaks a search must not fail the navigation.
    const found = await findSibling({ ...deps, ...settings }).catch(() => undefined);
    if (found?.kind !== 'found') return undefined;
    if (then === 'moves') report.enter(found.line.host, own);
    report.send();
    return found.line.address;
  }

  /** Asks the portal without cookies. If the portal refuses this visitor, the siblings are forgotten, and nobody is moved. */
  function fetchFrom(portal: string): Effects['fetch'] {
    return async (path, init) => {
      const answer = await deps.fetch(portal + path, { ...PLAIN_REQUEST, ...init });
      // A storage that is full must not turn the refusal into an answer that did not come.
      if (readClosing(answer)) await keeper.forget().catch(() => undefined);
      return answer;
    };
  }
}

function isAnswer({ status }: Response): boolean {
  return !GATEWAY_FAULTS.has(status);
}

/** The requests that a page makes of its own line by script. Images, styles and other origins are not watched. */
function isWatched(request: Request, own: string): boolean {
  return request.destination === '' && request.url.startsWith(`${own}/`) && !isUnwatched(request);
}

function isUnwatched({ headers }: Request): boolean {
  return UNWATCHED.test(`${headers.get('Content-Type')} ${headers.get('Accept')}`);
}

/** The address that a request was sent to. With its hash, a link from the page to itself would only scroll. */
function urlOf({ url }: Request): string {
  const { origin, pathname, search } = new URL(url);
  return origin + pathname + search;
}

/** The address of a page at another line. */
function addressAt(address: string, page: string): string {
  const { pathname, search, hash } = new URL(page);
  return address + pathname + search + hash;
}
