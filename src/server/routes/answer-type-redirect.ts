import type { Context } from 'hono';
import { LANDING_PATH, TYPE_REDIRECT_PATH } from '../../contract/paths.ts';
import { guardTarget } from '../../engine/guard-target.ts';
import { answerRedirect } from '../http/answer.ts';
import type { AppEnv, Visit } from '../http/visit.ts';
import { answerPage } from './answer-page.ts';

/** Guards `/t` by the host it is asked for at, and gives it a target where it has none. */
export function answerTypeRedirect(c: Context<AppEnv>, visit: Visit): Response {
  const hostname = readHostname(visit.header('host'));
  const { allowedHosts } = visit.site.config.typeRedirect;
  const guarded = guardTarget({ hostname, path: c.req.path, allowedHosts });
  switch (guarded.kind) {
    case 'target':
      return answerPage(c, visit, 'type-redirect');
    case 'default':
      // With its query, in which a language may be asked for.
      return answerRedirect(visit, `${TYPE_REDIRECT_PATH}/${guarded.target}${new URL(c.req.url).search}`);
    case 'refused':
      return answerRedirect(visit, LANDING_PATH);
  }
}

function readHostname(host = ''): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}
