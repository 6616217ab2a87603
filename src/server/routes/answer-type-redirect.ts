import { LANDING_PATH, TARGET_PATTERN, TYPE_REDIRECT_PATH } from '../../contract/paths.ts';
import { answerRedirect } from '../http/answer.ts';
import type { Answer } from '../http/exchange.ts';
import type { Visit } from '../http/visit.ts';
import { answerPage } from './answer-page.ts';

/** Guards `/t` by the host it is asked for at, and gives it a target where it has none. */
export function answerTypeRedirect(visit: Visit): Answer {
  const hostname = readHostname(visit.request.header('host'));
  const { allowedHosts } = visit.site.config.typeRedirect;
  if (!allowedHosts.includes(hostname)) return answerRedirect(visit, LANDING_PATH);
  const given = visit.request.path.slice(TYPE_REDIRECT_PATH.length + 1);
  if (given !== '') {
    const isTarget = TARGET_PATTERN.test(given);
    return isTarget ? answerPage(visit, 'type-redirect') : answerRedirect(visit, LANDING_PATH);
  }
  const firstLabel = hostname.split('.')[0] ?? '';
  const isTarget = TARGET_PATTERN.test(firstLabel);
  return answerRedirect(visit, isTarget ? `${TYPE_REDIRECT_PATH}/${firstLabel}` : LANDING_PATH);
}

function readHostname(host = ''): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}
