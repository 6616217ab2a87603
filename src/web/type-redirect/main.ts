import { LANDING_PATH, TARGET_PATTERN, TYPE_REDIRECT_PATH } from '../../contract/paths.ts';
import { fetchLinks } from '../../engine/fetch-links.ts';
import { findTarget } from '../../engine/find-target.ts';
import { openEngine } from '../open-engine.ts';
import { readPageData } from '../page-data.ts';

const data = readPageData(document);
const target = decodeURIComponent(location.pathname.slice(TYPE_REDIRECT_PATH.length + 1));

if (!data.allowedHosts.includes(location.hostname)) location.replace(LANDING_PATH);
else if (target === '') location.replace(`${TYPE_REDIRECT_PATH}/${location.hostname.split('.')[0]}`);
else if (!TARGET_PATTERN.test(target)) location.replace(LANDING_PATH);
else void chooseAddress();

async function chooseAddress(): Promise<void> {
  const { effects, prober, onRefused } = openEngine(window, data);
  const { signal } = new AbortController();
  const found = await findTarget(target, {
    ...effects,
    prober,
    signal,
    askLinks: (asked) => fetchLinks(asked, effects),
    onRefused,
  });
  document.querySelector('#progress')?.toggleAttribute('hidden', true);
  if (found.kind === 'found') showButton(found.address);
  else showMessage();
}

function showButton(address: string): void {
  const button = document.querySelector<HTMLButtonElement>('#enter');
  button?.removeAttribute('hidden');
  button?.addEventListener('click', () => location.assign(address));
  button?.focus();
}

function showMessage(): void {
  document.querySelector('#message')?.removeAttribute('hidden');
  document.querySelector('#again')?.addEventListener('click', () => location.reload());
}
