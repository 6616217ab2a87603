import { JSON_TIMEOUT_MS } from '../../contract/limits.ts';
import { LINKS_PATH } from '../../contract/paths.ts';
import { findLine } from '../../engine/find-line.ts';
import { requestJson } from '../../engine/request-json.ts';
import { openEngine } from '../open-engine.ts';
import { readPageData } from '../page-data.ts';

const data = readPageData(document);
const { effects, prober, report } = openEngine(window, data);
const { signal } = new AbortController();

void goToLine();

async function goToLine(): Promise<void> {
  const found = await findLine({
    ...effects,
    prober,
    report,
    signal,
    fallback: data.lines.fallback,
    callerService: data.callerService,
    linksSettled: requestJson(LINKS_PATH, { timeoutMs: JSON_TIMEOUT_MS, signal }, effects),
  });
  report.send(found.kind === 'found' ? found.line.host : undefined);
  if (found.kind === 'found') location.replace(found.line.address);
  else showMessage(found.kind === 'restricted');
}

function showMessage(isRestricted: boolean): void {
  document.querySelector('#message')?.removeAttribute('hidden');
  document.querySelector('[data-none]')?.toggleAttribute('hidden', isRestricted);
  document.querySelector('[data-restricted]')?.toggleAttribute('hidden', !isRestricted);
  document.querySelector('#again')?.addEventListener('click', () => {
    prober.clear();
    location.reload();
  });
}
