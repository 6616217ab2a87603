import { readClosing } from '../../contract/api/closing.ts';
import { GATEWAY_FAULTS } from '../../contract/api/gateway-faults.ts';
import { OFFLINE_HEADER } from '../../contract/api/headers.ts';
import { HOSTNAMES_TIMEOUT_MS, OFFLINE_PATIENCE_MS } from '../../contract/limits.ts';
import { FRESH_PARAMETER, type KeptLines, readKeptLines } from '../../contract/page/kept-lines.ts';
import { OFFLINE_CACHE } from '../../contract/page/storage-keys.ts';
import {
  CAMPAIGN_PREFIX,
  HOSTNAMES_PATH,
  LANDING_PATH,
  OFFLINE_SHELL_PATHS,
  REDIRECT_PATH,
  TYPE_REDIRECT_PATH,
  targetFilePath,
} from '../../contract/paths.ts';
import type { Effects } from '../../engine/effects/effects.ts';
import { abortAfter, neverAborts } from '../../engine/effects/link-abort.ts';
import { wait } from '../../engine/effects/wait.ts';
import { fetchCaller } from '../../engine/portal/fetch-caller.ts';
import { fetchHostnames } from '../../engine/portal/fetch-hostnames.ts';
import { readTarget } from '../../engine/portal/guard-target.ts';
import { parsePageData } from '../kit/document/page-data.ts';
import type { WorkerRequest } from '../kit/worker-scope.ts';
import { fillShell } from './fill-shell.ts';
import { KEPT_FILES } from './keep-page.ts';

export type OfflineWorkerDeps = {
  readonly caches: Pick<CacheStorage, 'open' | 'delete'>;
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly setTimer: Effects['setTimer'];
  /** The URLs of the pages of this origin that are open. */
  readonly listPages: () => Promise<readonly string[]>;
  /** Removes the worker from the browser. */
  readonly unregister: () => Promise<unknown>;
};

export type OfflineRequest = WorkerRequest & {
  readonly clientId: string;
  /** Undefined in Safari before 16. */
  readonly resultingClientId: string | undefined;
};

export type OfflineWorker = {
  /** Answers a request. Undefined if the browser must send it as if there were no worker. */
  readonly answer: (event: OfflineRequest) => Promise<Response> | undefined;
  /** Keeps what `/r` needs, whose page is gone too soon to do so. */
  readonly keepRedirect: () => Promise<void>;
};

/** A page, and the call whose answer it cannot do without. */
type OfflinePage = { readonly shell: string; readonly call: string };

/** After 5 s `/r` has left for its line, so this disturbs no probe. */
const REDIRECT_OVER_MS = 5_000;

/** The service worker: it passes navigations on, and answers them with what was kept if the portal cannot be reached. */
export function createOfflineWorker(deps: OfflineWorkerDeps): OfflineWorker {
  /** The pages that were answered with a shell. Only these get their files from here; all pages do where the browser names none. */
  const shellClients = new Set<string | undefined>();
  return {
    answer: (event) => {
      const { request, clientId } = event;
      const url = new URL(request.url);
      if (request.method !== 'GET') return undefined;
      if (request.mode === 'navigate') {
        const page = findPage(url);
        return page && answerNavigation(event, page);
      }
      const isOfShell = shellClients.has(clientId) || shellClients.has(undefined);
      return isOfShell && KEPT_FILES.test(url.pathname) ? answerFile(request, deps) : undefined;
    },
    keepRedirect: () => keepRedirect(deps),
  };

  async function answerNavigation(event: OfflineRequest, page: OfflinePage): Promise<Response> {
    const asked = event.preloadResponse.then((preloaded) => preloaded ?? deps.fetch(event.request));
    const answered = await Promise.race([asked.catch(() => undefined), pass(OFFLINE_PATIENCE_MS, deps)]);
    if (answered && isPortals(answered)) return takeAnswer(answered);
    const shell = await makeShell(page, deps).catch(() => undefined);
    if (shell) {
      shellClients.add(event.resultingClientId);
      return shell;
    }
    // No kept line is valid any more. Wait for a slow portal; if it does not answer, show the page that says so.
    const late =
      answered ?? (await Promise.race([asked.catch(() => undefined), pass(HOSTNAMES_TIMEOUT_MS, deps)]));
    if (late && isPortals(late)) return takeAnswer(late);
    const cache = await deps.caches.open(OFFLINE_CACHE).catch(() => undefined);
    const away = await cache?.match(OFFLINE_SHELL_PATHS.away);
    // Nothing is kept: the visitor sees what there is to see without a worker.
    return away
      ? new Response(await away.text(), { status: 503, headers: headersOf(away) })
      : (late ?? asked);

    function takeAnswer(answer: Response): Response {
      event.waitUntil(afterVisit(answer, page, deps));
      return answer;
    }
  }
}

function pass(delayMs: number, { setTimer }: OfflineWorkerDeps): Promise<void> {
  return wait(delayMs, neverAborts(), setTimer);
}

async function afterVisit(
  answered: Response,
  { shell }: OfflinePage,
  deps: OfflineWorkerDeps,
): Promise<void> {
  if (readClosing(answered) || answered.headers.get(OFFLINE_HEADER) === 'off') return forget(deps);
  if (shell !== OFFLINE_SHELL_PATHS.redirect || answered.status !== 200) return;
  await pass(REDIRECT_OVER_MS, deps);
  await keepRedirect(deps);
}

async function makeShell(
  { shell, call }: OfflinePage,
  { caches, now }: OfflineWorkerDeps,
): Promise<Response | undefined> {
  const cache = await caches.open(OFFLINE_CACHE);
  const [page, kept] = await Promise.all([cache.match(shell), cache.match(call)]);
  const days = Number(page?.headers.get(OFFLINE_HEADER));
  const lines = page && kept && readKeptLines(await kept.text(), days, now());
  if (!lines) return undefined;
  const html = fillShell(await page.text(), {
    lines,
    call,
    language: page.headers.get('Content-Language') ?? 'en',
    now: now(),
  });
  if (html === undefined) return undefined;
  return new Response(html, { headers: headersOf(page) });
}

async function answerFile(request: Request, { caches, fetch }: OfflineWorkerDeps): Promise<Response> {
  const cache = await caches.open(OFFLINE_CACHE);
  return (await cache.match(request.url)) ?? fetch(request);
}

async function keepRedirect(deps: OfflineWorkerDeps): Promise<void> {
  const { caches, fetch, setTimer } = deps;
  const path = OFFLINE_SHELL_PATHS.redirect;
  const limit = abortAfter(HOSTNAMES_TIMEOUT_MS, neverAborts(), setTimer);
  try {
    const shell = await fetch(path, { signal: limit.signal });
    if (readClosing(shell)) return await forget(deps);
    if (!shell.ok) return;
    const html = await shell.clone().text();
    const cache = await caches.open(OFFLINE_CACHE);
    await cache.put(path, shell);
    const away = await fetch(OFFLINE_SHELL_PATHS.away, { signal: limit.signal });
    if (away.ok) await cache.put(OFFLINE_SHELL_PATHS.away, away);
    await keepOwnLines(cache, html, deps);
  } catch {
    // The portal is gone again, takes too long, or the storage is full. What was kept before stays.
  } finally {
    limit.abort();
  }
}

/**
 * The page keeps the lines that it was given. If it was gone before they were written, the worker asks for some, as a page
 * would. While a page is open, it has its own call, and keeps what that answers.
 */
async function keepOwnLines(cache: Cache, html: string, deps: OfflineWorkerDeps): Promise<void> {
  if (await cache.match(HOSTNAMES_PATH)) return;
  await pass(REDIRECT_OVER_MS, deps);
  if ((await cache.match(HOSTNAMES_PATH)) || (await isAsking(deps))) return;
  const { callerService = '' } = parsePageData(html) ?? {};
  const caller = await fetchCaller(callerService, neverAborts(), deps);
  const { kind, hosts } = await fetchHostnames(caller, neverAborts(), deps);
  if (kind !== 'listed') return forget(deps);
  if (hosts.length === 0) return;
  const lines: KeptLines = { at: deps.now(), hosts };
  await cache.put(HOSTNAMES_PATH, new Response(JSON.stringify(lines)));
}

/** Whether a page is open that asks for lines itself. */
async function isAsking({ listPages }: OfflineWorkerDeps): Promise<boolean> {
  const pages = await listPages();
  return pages.some((url) => findPage(new URL(url))?.call === HOSTNAMES_PATH);
}

async function forget({ caches, unregister }: OfflineWorkerDeps): Promise<void> {
  await Promise.all([caches.delete(OFFLINE_CACHE), unregister()]);
}

/** Whether the portal itself has answered, and no proxy in its place. */
function isPortals(answer: Response): boolean {
  return !GATEWAY_FAULTS.has(answer.status) || readClosing(answer) !== undefined;
}

/** The headers of a kept page, without those that describe the bytes as they were sent. */
function headersOf(page: Response): Headers {
  const headers = new Headers(page.headers);
  for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name);
  return headers;
}

function findPage({ pathname, hostname, searchParams }: URL): OfflinePage | undefined {
  if (searchParams.has(FRESH_PARAMETER)) return undefined;
  const [, route = '', name] = pathname.split('/');
  if (pathname === LANDING_PATH) return { shell: OFFLINE_SHELL_PATHS.landing, call: HOSTNAMES_PATH };
  // While the portal is away, a link takes the visitor to a line, as `/r` does.
  if ((`/${route}` === REDIRECT_PATH && !name) || pathname.startsWith(CAMPAIGN_PREFIX)) {
    return { shell: OFFLINE_SHELL_PATHS.redirect, call: HOSTNAMES_PATH };
  }
  if (`/${route}` !== TYPE_REDIRECT_PATH) return undefined;
  const asked = readTarget(pathname, hostname);
  if (asked.kind === 'refused') return undefined;
  return { shell: OFFLINE_SHELL_PATHS['type-redirect'], call: targetFilePath(asked.target) };
}
