import type { PageRequest } from '../../../contract/page/page-data.ts';
import { CONSENT_KEY } from '../../../contract/page/storage-keys.ts';
import { EVENTS_PATH } from '../../../contract/paths.ts';
import type { CountedPage } from '../../../contract/visitors.ts';

/**
 * Renders the script that counts a view of `/r` or `/t`. It is in the page only where the portal counts. It sends its one
 * message when the page is left or hidden, so that nothing competes with the race for a line.
 */
export function renderPageCount(
  page: CountedPage,
  { site, isShell, closing }: PageRequest,
): readonly string[] {
  const { analytics, consent } = site;
  if (analytics.counts === 'off' || isShell || closing) return [];
  const body = JSON.stringify(JSON.stringify({ page }));
  return [
    `(function(n,c,o){function s(){if(o)return;o=1;${renderConsent(consent === 'required', analytics.countsWithoutConsent)}` +
      `n.sendBeacon&&n.sendBeacon("${EVENTS_PATH}",${body})}` +
      `addEventListener("pagehide",s);document.addEventListener("visibilitychange",function(){document.hidden&&s()})})(navigator)`,
  ];
}

/** Stops the script if the visitor may not be counted. The landing page stores their answer. */
function renderConsent(isRequired: boolean, withoutConsent: boolean): string {
  const read = `try{c=localStorage.getItem("${CONSENT_KEY}")}catch(e){}`;
  const isBarred = withoutConsent ? 'c==="refused"' : 'c!=="granted"';
  return `if(n.globalPrivacyControl)return;${isRequired ? `${read}if(${isBarred})return;` : ''}`;
}
