import { renderStartAnswers } from '../../contract/page/start-answers.ts';
import { CAMPAIGN_PREFIX } from '../../contract/paths.ts';
import { mayBeIpad, readPlatform } from '../../contract/site/read-platform.ts';
import { countFetch } from '../visitors/source-cells.ts';
import type { VisitKeeper } from '../visitors/keep-visits.ts';
import { answerText } from '../http/answer.ts';
import { answerPage, rememberLocale } from './answer-page.ts';
import { chooseLocale } from './choose-locale.ts';
import type { MakeStartAnswers } from './create-start-answers.ts';
import { type VisitContext, findClosing, readHostname } from './visit.ts';

type CampaignDeps = {
  readonly sourceVisits: Pick<VisitKeeper, 'count'>;
  /** Ms since 1970. */
  readonly now: () => number;
  readonly makeStartAnswers: MakeStartAnswers;
};

/** Answers `/c/CODE` with the page that its campaign has for this visitor. */
export function answerCampaign({
  now,
  makeStartAnswers,
  sourceVisits,
}: CampaignDeps): (c: VisitContext) => Response {
  return (c) => {
    const visit = c.get('visit');
    // The notice is the same under every path.
    if (findClosing(visit)) return answerPage(c, 'redirect');
    const { site, caller, header } = visit;
    const locale = chooseLocale(c);
    const code = readCode(c.req.path);
    const fetchedBy = findFetcher(c);
    const isCounted = site.config.analytics.counts === 'self' && Object.hasOwn(site.config.campaigns, code);
    if (fetchedBy && isCounted) sourceVisits.count(countFetch(code, fetchedBy));
    const userAgent = c.req.header('user-agent') ?? '';
    const { html, headers, status } = site.pages.campaigns.open(code, {
      locale,
      platform: readPlatform(userAgent),
      mayBeIpad: mayBeIpad(userAgent),
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

const MAX_AGENT_CHARS = 512;
/** The programs that show a link beside its picture, by a part of the name that they send. `docs/links.md` lists them. */
const PREVIEW_PROGRAMS =
  /TelegramBot|WhatsApp|Twitterbot|facebookexternalhit|LinkedInBot|Slackbot|Discordbot|SkypeUriPreview|redditbot|Pinterestbot|vkShare/i;

/** Whether nobody looks at the page: a program that shows links, or a browser that fetches ahead. */
function findFetcher(c: VisitContext): 'preview' | 'prefetch' | undefined {
  if (PREVIEW_PROGRAMS.test(c.req.header('user-agent')?.slice(0, MAX_AGENT_CHARS) ?? '')) return 'preview';
  // Older browsers send the second one: https://developer.mozilla.org/docs/Web/HTTP/Headers/Sec-Purpose
  const purpose = c.req.header('sec-purpose') ?? c.req.header('purpose') ?? '';
  return purpose.startsWith('prefetch') ? 'prefetch' : undefined;
}

/** The code as `site.json` has it: people type capitals, and some programs add a slash. */
function readCode(path: string): string {
  return path.slice(CAMPAIGN_PREFIX.length).replace(/\/$/, '').toLowerCase();
}
