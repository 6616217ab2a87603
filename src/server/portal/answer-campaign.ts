import { renderStartAnswers } from '../../contract/page/start-answers.ts';
import { CAMPAIGN_PREFIX } from '../../contract/paths.ts';
import { readPlatform } from '../../contract/site/read-platform.ts';
import { answerText } from '../http/answer.ts';
import { answerPage, readHostname, rememberLocale } from './answer-page.ts';
import { chooseLocale } from './choose-locale.ts';
import type { MakeStartAnswers } from './create-start-answers.ts';
import { type VisitContext, findClosing } from './visit.ts';

type CampaignDeps = {
  /** Ms since 1970. */
  readonly now: () => number;
  readonly makeStartAnswers: MakeStartAnswers;
};

/** Answers `/c/CODE` with the page that its campaign has for this visitor. */
export function answerCampaign({ now, makeStartAnswers }: CampaignDeps): (c: VisitContext) => Response {
  return (c) => {
    const visit = c.get('visit');
    // The notice is the same under every path.
    if (findClosing(visit)) return answerPage(c, 'redirect');
    const { site, caller, header } = visit;
    const locale = chooseLocale(c);
    const { html, headers, status } = site.pages.campaigns.open(readCode(c.req.path), {
      locale,
      platform: readPlatform(c.req.header('user-agent') ?? ''),
      country: site.regions.countryOf(caller, header) ?? '',
      hostname: readHostname(c.req.header('host')),
      at: now(),
    });
    const slot = renderStartAnswers();
    const start = html.includes(slot)
      ? makeStartAnswers(visit, site.pages.campaigns.linksOf(locale))
      : undefined;
    // A function, because the text of a replacement has signs with a meaning.
    const text = start ? html.replace(slot, () => renderStartAnswers(start)) : html;
    const answer = answerText(c, text, headers, status);
    rememberLocale(c, answer);
    return answer;
  };
}

/** The code as `site.json` has it: people type capitals, and some programs add a slash. */
function readCode(path: string): string {
  return path.slice(CAMPAIGN_PREFIX.length).replace(/\/$/, '').toLowerCase();
}
