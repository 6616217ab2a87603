import { LANDING_PATH, TYPE_REDIRECT_PATH } from '../../contract/paths.ts';
import { guardTarget } from '../../engine/portal/guard-target.ts';
import { answerRedirect } from '../http/answer.ts';
import type { Answer } from '../http/exchange.ts';
import type { Visit } from './visit.ts';
import { answerPage } from './answer-page.ts';

/** Guards `/t` by the host it is asked for at, and gives it a target where it has none. */
export function answerTypeRedirect(visit: Visit): Answer {
  const { path, query, header } = visit.request;
  const { allowedHosts } = visit.site.config.typeRedirect;
  const guarded = guardTarget({ hostname: readHostname(header('host')), path, allowedHosts });
  switch (guarded.kind) {
    case 'target':
      return answerPage(visit, 'type-redirect');
    case 'default': {
      // With its query, in which a language may be asked for.
      const search = query === '' ? '' : `?${query}`;
      return answerRedirect(visit, `${TYPE_REDIRECT_PATH}/${guarded.target}${search}`);
    }
    case 'refused':
      return answerRedirect(visit, LANDING_PATH);
  }
}

function readHostname(host = ''): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}
