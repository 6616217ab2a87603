import { TICKET_LIFE_MS } from '../../contract/limits.ts';
import type { StartAnswers } from '../../contract/page/start-answers.ts';
import { CALLER_PATH, HOSTNAMES_PATH, LINKS_PATH } from '../../contract/paths.ts';
import type { LinksConfig } from '../../contract/site/links-config.ts';
import type { CallerTokens } from '../caller/create-caller-tokens.ts';
import type { RateLimiter } from '../http/create-rate-limiter.ts';
import type { HandOutLines } from './create-hand-out.ts';
import { countApiCall } from './limit-rate.ts';
import type { Visit } from './visit.ts';

export type StartAnswersDeps = {
  readonly tokens: CallerTokens;
  readonly handOutLines: HandOutLines;
  readonly apiLimiter: RateLimiter;
  readonly now: () => number;
};

/** Makes the answers that a document carries for a visitor of a region that is served. Undefined if the visitor is over the limit. */
export type MakeStartAnswers = (visit: Visit, links: LinksConfig) => StartAnswers | undefined;

/** Makes what the three calls of a page would answer, so that the page need not send them. */
export function createStartAnswers({
  tokens,
  handOutLines,
  apiLimiter,
  now,
}: StartAnswersDeps): MakeStartAnswers {
  return (visit, links) => {
    // A document counts as one call. Beyond the limit the page sends its calls, and they are refused.
    if (countApiCall(visit, apiLimiter)?.isAllowed === false) return undefined;
    const caller = tokens.issue(visit.caller.address);
    const { hosts, headers } = handOutLines(visit, visit.caller);
    return {
      until: now() + TICKET_LIFE_MS,
      answers: {
        [LINKS_PATH]: { body: links },
        [visit.site.config.services.callerAddress + CALLER_PATH]: { body: caller },
        [HOSTNAMES_PATH]: { body: hosts, headers },
      },
    };
  };
}
