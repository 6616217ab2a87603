import type { MiddlewareHandler } from 'hono';
import { CLOSED_HEADER } from '../../contract/api/closing.ts';
import {
  REAL_USER_ADDR_HEADER,
  REAL_USER_ID_HEADER,
  STAY_HEADER,
  TICKET_HEADER,
} from '../../contract/api/headers.ts';
import type { CallerTokens } from '../caller/create-caller-tokens.ts';
import type { Caller } from '../caller/find-caller.ts';
import { parseAddress } from '../caller/parse-address.ts';
import { answerJson } from '../http/answer.ts';
import { readOrigin } from '../http/read-origin.ts';
import { findNetwork } from './find-place.ts';
import type { HandOutLines } from './create-hand-out.ts';
import type { HandOutSiblings } from './create-hand-out-siblings.ts';
import { type Visit, type VisitContext, type VisitEnv, refuseIfClosed } from './visit.ts';

export type HostnamesDeps = {
  readonly tokens: CallerTokens;
  readonly handOutLines: HandOutLines;
  readonly handOutSiblings: HandOutSiblings;
};

const REAL_USER_ADDR = REAL_USER_ADDR_HEADER.toLowerCase();
const REAL_USER_ID = REAL_USER_ID_HEADER.toLowerCase();
const EXPOSED_TO_LINES = [TICKET_HEADER, STAY_HEADER, CLOSED_HEADER].join(', ');

/** Answers the hostname call: of a visitor's page, or of a page of a line that asks for its siblings. */
export function answerHostnames({
  tokens,
  handOutLines,
  handOutSiblings,
}: HostnamesDeps): (c: VisitContext) => Response {
  return (c) => {
    const visit = c.get('visit');
    const caller = findProvenCaller(visit, tokens);
    refuseIfClosed(visit);
    if (caller !== visit.caller) refuseIfClosed({ ...visit, caller });
    const line = c.get('askingLine');
    const { hosts, headers } = line ? handOutSiblings(visit, line) : handOutLines(visit, caller);
    return answerJson(hosts, { ...c.get('apiHeaders'), ...headers });
  };
}

/**
 * The caller that a page names, if it sends our own proof, and calls from the same network. A proof of another network is
 * ignored, because somebody could collect proofs in many networks and use them from one address.
 */
function findProvenCaller({ caller, header, site }: Visit, tokens: CallerTokens): Caller {
  const named = header(REAL_USER_ADDR);
  const proof = header(REAL_USER_ID);
  // Nearly every page names the address from which it calls. This needs no proof.
  if (named === undefined || proof === undefined || named === caller.address.text) return caller;
  const address = parseAddress(named);
  if (caller.kind === 'untold' || address === undefined) return caller;
  if (findNetwork(address, site) !== findNetwork(caller.address, site)) return caller;
  return tokens.isProof(address, proof) ? { ...caller, address } : caller;
}

/** Lets pages of the site's own lines read an answer, also an error. Browsers hide it from pages of all other origins. */
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
  c.res.headers.set('Access-Control-Expose-Headers', EXPOSED_TO_LINES);
  c.res.headers.set('Vary', 'Origin');
  return undefined;
};
