import type { Context } from 'hono';
import { LANDING_PATH, TARGET_PATTERN, TYPE_REDIRECT_PATH } from '../../contract/paths.ts';
import { answerRedirect } from '../http/answer.ts';
import type { AppEnv, Visit } from '../http/visit.ts';
import { answerPage } from './answer-page.ts';

/** Guards `/t` by the host it is asked for at, and gives it a target where it has none. */
export function answerTypeRedirect(c: Context<AppEnv>, visit: Visit): Response {
  const hostname = readHostname(visit.header('host'));
  if (!visit.site.config.typeRedirect.allowedHosts.includes(hostname))
    return answerRedirect(visit, LANDING_PATH);
  const given = c.req.path.slice(TYPE_REDIRECT_PATH.length + 1);
  if (given !== '') {
    return TARGET_PATTERN.test(given)
      ? answerPage(c, visit, 'type-redirect')
      : answerRedirect(visit, LANDING_PATH);
  }
  const firstLabel = hostname.split('.')[0] ?? '';
  const isTarget = TARGET_PATTERN.test(firstLabel);
  return answerRedirect(visit, isTarget ? `${TYPE_REDIRECT_PATH}/${firstLabel}` : LANDING_PATH);
}

function readHostname(host = ''): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}
