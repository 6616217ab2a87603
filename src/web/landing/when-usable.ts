import type { BoardSnapshot } from '../../engine/board/create-line-board.ts';
import type { HandOver } from './create-idle-hand-over.ts';
import type { LinksState } from './create-links-store.ts';
import type { Store } from '../../contract/create-store.ts';

/** Waits no longer than this for the results. */
const PATIENCE_MS = 10_000;
/** React starts after this long, also if the lines are not measured yet. */
const REACT_PATIENCE_MS = 3_000;
/** A page that is never idle counts as idle after this long. */
const IDLE_TIMEOUT_MS = 2_000;
/** Used where a browser does not say when it is idle. */
const IDLE_GUESS_MS = 200;

/**
 * Resolves when the page is usable and idle. Then analytics and monitoring may load. It waits for the links, because no
 * other request may be sent before them, and for the first results, because a download beside a probe would make its
 * line look slow.
 */
export async function whenUsable(
  page: Window & typeof globalThis,
  { board, links }: HandOver,
): Promise<void> {
  await whenLoaded(page);
  await waitUntil(links, hasLinks);
  await Promise.race([
    waitUntil(board, isMeasured),
    new Promise((resolve) => page.setTimeout(resolve, PATIENCE_MS)),
  ]);
  await whenIdle(page);
}

/**
 * Resolves when React may start: when the rows have their results and the browser is idle, because starting React blocks a
 * slow phone, and numbers would wait for it. At once if the links failed, because only React can say so.
 */
export async function whenReactMayStart(
  page: Window & typeof globalThis,
  { board, links }: HandOver,
): Promise<void> {
  const patience = new Promise((resolve) => page.setTimeout(resolve, REACT_PATIENCE_MS));
  const free = Promise.race([waitUntil(board, isMeasured), patience]).then(() => whenIdle(page));
  await Promise.race([free, waitUntil(links, hasFailed)]);
}

/** Resolves when all that the visitor sees first has loaded, and the browser is idle. */
export async function whenSeen(page: Window & typeof globalThis): Promise<void> {
  await whenLoaded(page);
  await whenIdle(page);
}

async function whenLoaded(page: Window): Promise<void> {
  if (page.document.readyState === 'complete') return;
  await new Promise((resolve) => page.addEventListener('load', resolve, { once: true }));
}

/** Resolves when the value of the store passes the test. */
async function waitUntil<T>(store: Store<T>, isDone: (value: T) => boolean): Promise<void> {
  if (isDone(store.getSnapshot())) return;
  await new Promise<void>((resolve) => {
    const end = store.subscribe(() => {
      if (!isDone(store.getSnapshot())) return;
      end();
      resolve();
    });
  });
}

function hasLinks({ kind }: LinksState): boolean {
  return kind !== 'loading' && kind !== 'failed';
}

function hasFailed({ kind }: LinksState): boolean {
  return kind === 'failed' || kind === 'stale';
}

/** Whether every row has a result, or the loading state has ended. */
export function isMeasured({ phase, rows }: BoardSnapshot): boolean {
  return phase !== 'loading' || rows.every(({ speed }) => speed.key !== 'testing');
}

/** Safari has no `requestIdleCallback`. */
type IdlePage = Pick<Window, 'setTimeout'> & Partial<Pick<Window, 'requestIdleCallback'>>;

async function whenIdle(page: IdlePage): Promise<void> {
  await new Promise<unknown>((resolve) => {
    if (page.requestIdleCallback) page.requestIdleCallback(resolve, { timeout: IDLE_TIMEOUT_MS });
    else page.setTimeout(resolve, IDLE_GUESS_MS);
  });
}
