import type { BoardSnapshot } from '../engine/create-line-board.ts';
import type { Store } from './landing/store.ts';

/** Lines that are not measured by then are no longer waited for. */
const PATIENCE_MS = 10_000;
/** A page that is never idle is taken for idle by then. */
const IDLE_TIMEOUT_MS = 2_000;
/** For browsers that do not say when they are idle. */
const IDLE_GUESS_MS = 200;

/**
 * Resolves when the page can be used and has nothing else to do: then what watches it may be loaded.
 *
 * It waits for the lines' first results, too, because a download beside a probe would make its line look slow.
 */
export async function whenUsable(
  page: Window & typeof globalThis,
  board: Store<BoardSnapshot>,
): Promise<void> {
  await whenLoaded(page);
  await whenMeasured(page, board);
  await whenIdle(page);
}

async function whenLoaded(page: Window): Promise<void> {
  if (page.document.readyState === 'complete') return;
  await new Promise((resolve) => page.addEventListener('load', resolve, { once: true }));
}

async function whenMeasured(page: Window, board: Store<BoardSnapshot>): Promise<void> {
  if (isMeasured(board.getSnapshot())) return;
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      end();
      page.clearTimeout(timer);
      resolve();
    };
    const end = board.subscribe(() => {
      if (isMeasured(board.getSnapshot())) finish();
    });
    const timer = page.setTimeout(finish, PATIENCE_MS);
  });
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
