import type { MiddlewareHandler } from 'hono';
import { CLOSED_HEADER } from '../../contract/api/closing.ts';
import { STAY_HEADER, TICKET_HEADER } from '../../contract/api/headers.ts';
import { readOrigin } from '../http/read-origin.ts';
import type { VisitEnv } from './visit.ts';

const EXPOSED = [TICKET_HEADER, STAY_HEADER, CLOSED_HEADER].join(', ');

/** Lets pages of the site's own lines read an answer, be it an error. Browsers give it to pages of no other origin. */
export const allowLines: MiddlewareHandler<VisitEnv> = async (c, next) => {
  const { header, site } = c.get('visit');
  // Browsers send no origin with a page's own calls.
  const origin = header('origin');
  const page = origin === undefined ? undefined : readOrigin(origin);
  const line = page && site.lines.findByPage(page);
  if (page === undefined || line === undefined) return next();
  c.set('askingLine', line);
  await next();
  c.res.headers.set('Access-Control-Allow-Origin', page.origin);
  c.res.headers.set('Access-Control-Expose-Headers', EXPOSED);
  c.res.headers.set('Vary', 'Origin');
  return undefined;
};
