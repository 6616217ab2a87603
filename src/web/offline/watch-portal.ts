export type WatchPortalSettings = {
  readonly page: Pick<Window, 'setTimeout' | 'clearTimeout' | 'addEventListener'> & {
    readonly document: Pick<Document, 'hidden' | 'addEventListener'>;
  };
  /** Asks the portal for something small. */
  readonly ask: (signal: AbortSignal) => Promise<Pick<Response, 'ok' | 'headers'>>;
  /** Called once. */
  readonly onBack: () => void;
};

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
/** A request that hangs must not be the last one. */
const PATIENCE_MS = 10_000;

/** Asks again and again until the portal answers, with longer and longer pauses, and never while nobody looks. */
export function watchPortal({ page, ask, onBack }: WatchPortalSettings): void {
  let pauseMs = FIRST_PAUSE_MS;
  let timer: number | undefined;
  let isOver = false;
  let isAsking = false;

  async function askNow(): Promise<void> {
    page.clearTimeout(timer);
    if (isOver || isAsking || page.document.hidden) return;
    isAsking = true;
    const asking = new AbortController();
    const deadline = page.setTimeout(() => asking.abort(), PATIENCE_MS);
    isOver = await ask(asking.signal).then(isPortal, () => false);
    page.clearTimeout(deadline);
    isAsking = false;
    if (isOver) return onBack();
    timer = page.setTimeout(() => void askNow(), pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }

  page.addEventListener('online', () => void askNow());
  page.document.addEventListener('visibilitychange', () => void askNow());
  timer = page.setTimeout(() => void askNow(), pauseMs);
}

/** The page of a captive portal is no JSON. */
function isPortal({ ok, headers }: Pick<Response, 'ok' | 'headers'>): boolean {
  return ok && headers.get('Content-Type')?.includes('json') === true;
}
