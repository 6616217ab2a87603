import { createBrowserStore, createBrowserVisibility } from '../../engine/browser-effects.ts';
import { createLineBoard } from '../../engine/create-line-board.ts';
import { loadLinks } from '../../engine/load-links.ts';
import { openEngine } from '../open-engine.ts';
import { readPageData } from '../page-data.ts';
import { textsFor } from '../texts.ts';
import { showBoard } from './show-board.ts';

const data = readPageData(document);
const texts = textsFor(data.locale, data.texts);
const { effects, prober } = openEngine(window, data);
const board = createLineBoard({
  ...effects,
  prober,
  visibility: createBrowserVisibility(document),
  fallback: data.lines.fallback,
  callerService: data.callerService,
});

showBoard(board, document, texts);
void startWithLinks();

/** The site starts only with its links: nothing else leaves before. */
async function startWithLinks(): Promise<void> {
  const store = createBrowserStore(() => localStorage);
  const loaded = await loadLinks(new AbortController().signal, { ...effects, store });
  if (loaded.kind === 'loaded' || loaded.lastGood) board.start();
  else showFailure();
}

function showFailure(): void {
  const message = document.querySelector<HTMLElement>('#message');
  if (!message) return;
  const again = Object.assign(document.createElement('button'), { textContent: texts.tryAgain });
  again.addEventListener('click', () => location.reload());
  message.replaceChildren(texts.linksFailed, ' ', again);
  message.hidden = false;
}
