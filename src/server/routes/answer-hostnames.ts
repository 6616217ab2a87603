import { REAL_USER_ADDR_HEADER, REAL_USER_ID_HEADER, TICKET_HEADER } from '../../contract/headers.ts';
import type { CallerTokens } from '../caller/caller-tokens.ts';
import type { Caller } from '../caller/find-caller.ts';
import { networkOf, parseAddress } from '../caller/parse-address.ts';
import { answerJson } from '../http/answer.ts';
import type { Answer } from '../http/exchange.ts';
import type { ApiVisit } from '../http/limit-rate.ts';
import { refuseRegion } from '../http/refusals.ts';
import { type Visit, isRestricted } from '../http/visit.ts';
import type { Tickets } from '../measurements/tickets.ts';
import type { Metrics } from '../ops/metrics.ts';
import { drawLines } from '../site/line-table.ts';

export type HostnamesDeps = {
  readonly tokens: CallerTokens;
  readonly tickets: Tickets;
  readonly metrics: Pick<Metrics, 'countHandedOut'>;
  readonly random: () => number;
};

const REAL_USER_ADDR = REAL_USER_ADDR_HEADER.toLowerCase();
const REAL_USER_ID = REAL_USER_ID_HEADER.toLowerCase();
/** Reports are limited per /24 or /48, and a ticket carries no more of an address than that. */
const NETWORK_PARTS = { ipv4: 3, ipv6: 3 };

/** Hands out at most four lines, and a ticket with which the page may report what it measured of them. */
export function answerHostnames({
  tokens,
  tickets,
  metrics,
  random,
}: HostnamesDeps): (visit: ApiVisit) => Answer {
  return (visit) => {
    const caller = findProvenCaller(visit, tokens);
    if (isRestricted(visit) || (caller !== visit.caller && isRestricted({ ...visit, caller })))
      throw refuseRegion();
    const { lines, fallback } = visit.site.lines;
    const drawn = drawLines(lines, random);
    for (const { host } of drawn) metrics.countHandedOut(host);
    visit.headers[TICKET_HEADER] = tickets.issue({
      network: networkOf(caller.address, NETWORK_PARTS),
      lineIds: [...drawn, ...fallback].map(({ id }) => id),
    });
    return answerJson(`[${drawn.map(({ json }) => json).join(',')}]`, visit.headers);
  };
}

/** Whom a page names as its caller, where it brings our own proof of it; otherwise the connection's caller. */
function findProvenCaller({ caller, request }: Visit, tokens: CallerTokens): Caller {
  const named = request.header(REAL_USER_ADDR);
  const proof = request.header(REAL_USER_ID);
  if (named === undefined || proof === undefined) return caller;
  const address = parseAddress(named);
  return address !== undefined && tokens.isProof(address, proof) ? { ...caller, address } : caller;
}
