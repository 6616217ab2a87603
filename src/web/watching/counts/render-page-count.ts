import type { PageRequest } from '../../../contract/page/page-data.ts';
import { CONSENT_KEY } from '../../../contract/page/storage-keys.ts';
import { DESKTOP_MEDIA, SOURCE_MAX_CHARS } from '../../../contract/limits.ts';
import { PAGE_DATA_ID } from '../../kit/document/page-data.ts';
import { EVENTS_PATH } from '../../../contract/paths.ts';
import type { CountedPage } from '../../../contract/visitors.ts';

/**
 * Renders the script that counts a view of `/r`, `/t` or `/c`. It is in the page only where the portal counts. It sends its one
 * message when the page is left or hidden, so that nothing competes with the race for a line. The page's own script notes the
 * further steps of the visit in `data-steps`.
 */
export function renderPageCount(
  path: CountedPage,
  { site, isShell, closing, isCampaign }: PageRequest,
): readonly string[] {
  const { analytics, consent } = site;
  if (analytics.counts === 'off' || isShell || closing) return [];
  const page: CountedPage = isCampaign ? '/c' : path;
  return [
    `(function(n,d,c,o){function s(){if(o)return;o=1;${renderConsent(consent === 'required', analytics.countsWithoutConsent)}` +
      `var h=d.documentElement,f={},b={page:"${page}"};` +
      (isCampaign
        ? `f.campaign=JSON.parse(d.getElementById("${PAGE_DATA_ID}").textContent).campaign.code;`
        : '') +
      `new URLSearchParams(location.search).forEach(function(v,k){/^utm_(source|medium|campaign)$/.test(k)&&v&&(f[k]=v.slice(0,${SOURCE_MAX_CHARS}))});` +
      `for(c in f)b={page:"${page}",device:matchMedia("${DESKTOP_MEDIA}").matches?"pc":"mobile",` +
      `language:h.lang,steps:["page_view"].concat(h.dataset.steps?h.dataset.steps.split(" "):[]),from:f};` +
      `n.sendBeacon&&n.sendBeacon("${EVENTS_PATH}",JSON.stringify(b))}` +
      `addEventListener("pagehide",s);d.addEventListener("visibilitychange",function(){d.hidden&&s()})})(navigator,document)`,
  ];
}

/** Stops the script if the visitor may not be counted. The landing page stores their answer. */
function renderConsent(isRequired: boolean, withoutConsent: boolean): string {
  const read = `try{c=localStorage.getItem("${CONSENT_KEY}")}catch(e){}`;
  const isBarred = withoutConsent ? 'c==="refused"' : 'c!=="granted"';
  return `if(n.globalPrivacyControl)return;${isRequired ? `${read}if(${isBarred})return;` : ''}`;
}
