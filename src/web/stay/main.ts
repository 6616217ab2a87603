import {
  HOLD,
  type Hold,
  KEEP_SIBLINGS,
  type KeepSiblings,
  LINE_LOST,
  type LineLost,
} from '../../contract/line/stay-messages.ts';
import { STAY_WORKER_PATH } from '../../contract/paths.ts';
import { showBar } from './show-bar.ts';

// Over http, and in some apps, browsers have no workers. Nothing of this works there.
const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
const portal = document.currentScript?.dataset.portal;

if (portal && workers) {
  const begin = (): void => void start(new URL(portal).origin, workers).catch(() => undefined);
  if (document.readyState === 'complete') begin();
  else addEventListener('load', begin);
}

/** Registers the line's worker, tells it the portal, and listens to it. Rejects where the browser allows no workers. */
async function start(origin: string, container: ServiceWorkerContainer): Promise<void> {
  container.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = Object(data) as Partial<LineLost | Hold>;
    if (message.type === LINE_LOST && message.address) tellPage(message.address);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a page's worker is of its origin
    if (message.type === HOLD.type) container.controller?.postMessage(HOLD);
  });
  const registration = await container.getRegistration();
  const worker = registration?.active ?? registration?.waiting ?? registration?.installing;
  // An application's own worker stays in its place. It may import ours.
  if (!worker || new URL(worker.scriptURL).pathname === STAY_WORKER_PATH) {
    await container.register(STAY_WORKER_PATH, { scope: '/', updateViaCache: 'all' });
  }
  const { active } = await container.ready;
  const message: KeepSiblings = { type: KEEP_SIBLINGS, portal: origin };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a page's worker is of its origin
  active?.postMessage(message);
}

function tellPage(address: string): void {
  const event = new CustomEvent(LINE_LOST, { detail: { address }, cancelable: true });
  if (document.dispatchEvent(event)) showBar(address);
}
