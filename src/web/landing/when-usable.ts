import type { BoardSnapshot } from '../../engine/board/create-line-board.ts';
import type { HandOver } from './hand-over.ts';
import type { LinksState } from './links-store.ts';
import type { Store } from '../../contract/store.ts';

/** Lines that are not measured by then are no longer waited for. */
const PATIENCE_MS = 10_000;
/** A page that is never idle is taken for idle by then. */
const IDLE_TIMEOUT_MS = 2_000;
/** For browsers that do not say when they are idle. */
const IDLE_GUESS_MS = 200;

/**
 * Resolves when the page can be used and has nothing else to do: then what watches it may be loaded.
 *
 * Nothing leaves a page before its links are in. And it waits for the lines' first results, too, because a download
 * beside a probe would make its line look slow.
 */
export async function whenUsable(
  page: Window & typeof globalThis,
  { board, links }: Pick<HandOver, 'board' | 'links'>,
): Promise<void> {
  await whenLoaded(page);
  await reach(links, hasLinks);
  await Promise.race([
    reach(board, isMeasured),
    new Promise((resolve) => page.setTimeout(resolve, PATIENCE_MS)),
  ]);
  await whenIdle(page);
}

async function whenLoaded(page: Window): Promise<void> {
  if (page.document.readyState === 'complete') return;
  await new Promise((resolve) => page.addEventListener('load', resolve, { once: true }));
}

/** Resolves once the store has such a value. */
async function reach<T>(store: Store<T>, isSuch: (value: T) => boolean): Promise<void> {
  if (isSuch(store.getSnapshot())) return;
  await new Promise<void>((resolve) => {
    const end = store.subscribe(() => {
      if (!isSuch(store.getSnapshot())) return;
      end();
      resolve();
    });
  });
}

function hasLinks({ kind }: LinksState): boolean {
  return kind !== 'loading' && kind !== 'failed';
}

function isMeasured({ phase, rows }: BoardSnapshot): boolean {
  return phase !== 'loading' || rows.every(({ speed }) => speed.key !== 'testing');
}

async function whenIdle(page: Window & typeof globalThis): Promise<void> {
  await new Promise<unknown>((resolve) => {
    // Safari has none.
    if ('requestIdleCallback' in page) page.requestIdleCallback(resolve, { timeout: IDLE_TIMEOUT_MS });
    else setTimeout(resolve, IDLE_GUESS_MS);
  });
}
