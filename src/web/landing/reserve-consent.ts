import { CONSENT_KEY } from '../../contract/page/storage-keys.ts';
import { writeInlineJson } from '../../contract/page/write-inline-json.ts';
import type { ConsentTexts } from '../kit/consent/create-consent.ts';
import { CONSENT_CLASS } from '../kit/page/consent.tsx';
import banner from './banner.module.css';
import { quoteText } from './lines/reserve-space.ts';

/**
 * Renders the script for the head that marks the page if the visitor has not answered the question about consent yet. It runs before
 * the first paint: the question comes with React, and nothing may move then.
 */
export function renderAskMark(): string {
  const key = writeInlineJson(CONSENT_KEY);
  // Where storage is forbidden, the visitor is asked each time.
  return `(function(k){try{k=localStorage[${key}]}catch(e){}k||navigator.globalPrivacyControl||(document.documentElement.dataset.ask="")})()`;
}

/**
 * Renders the style of the question and of its place, for sites that ask: on a phone above the headline, on a desktop beside it, over
 * the light of the image. An invisible copy of its text holds the place. On a low phone, the downloads are below the lines until the
 * visitor has answered, so that two lines are in view.
 */
export function renderConsentStyle({ consentText }: ConsentTexts): string {
  const [box, place, headline] = [
    `.${CONSENT_CLASS}`,
    `[data-ask] .${banner['banner']}::before`,
    `[data-ask] .${banner['headline']}`,
  ];
  return `
${box},${place}{display:grid;grid-area:1/1;align-self:start;gap:var(--space-2);min-width:0;max-width:32rem;margin:var(--space-2) var(--space-4);padding:var(--space-2) var(--space-3);border:1px solid var(--accent);border-radius:var(--radius-m);font-size:.8125rem;line-height:1.45}
${box}{position:relative;z-index:4;background:var(--raised);box-shadow:var(--shadow)}
${box} div{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,6rem),1fr));gap:var(--space-2)}
${box} button{justify-content:center;padding:0 var(--space-2);font-size:.8125rem;line-height:1.2}
${box} button[aria-pressed=true]{border-color:var(--accent-text);color:var(--accent-text)}
${place}{padding-bottom:calc(var(--touch) + 2 * var(--space-2));visibility:hidden;content:${quoteText(consentText)}}
${headline}{grid-row:2}
@media(max-width:47.99em){${headline}{padding-top:var(--space-1)}}
@media(max-width:47.99em) and (max-height:46em){[data-ask] section[aria-labelledby=downloads-title]{order:1}}
@media(min-width:48em){
[data-ask] .${banner['banner']}{grid-template-columns:minmax(0,1fr) minmax(min(17rem,45%),37%)}
${box},${place}{grid-column:2;align-self:center;margin:var(--space-2)}
${headline}{grid-area:1/1;width:auto;padding:var(--space-4) var(--space-5)}
[dir=rtl]${headline}{grid-column:2}
[dir=rtl] ${box},[dir=rtl]${place}{grid-column:1}
[dir=rtl][data-ask] .${banner['banner']}{grid-template-columns:minmax(min(17rem,45%),37%) minmax(0,1fr)}
}`.trim();
}
