import { REAL_USER_ADDR_HEADER, REAL_USER_ID_HEADER, TICKET_HEADER } from '../../contract/api/headers.ts';
import type { CallerTokens } from '../caller/caller-tokens.ts';
import type { Caller } from '../caller/find-caller.ts';
import { networkOf, parseAddress } from '../caller/parse-address.ts';
import { answerJson } from '../http/answer.ts';
import { refuseRegion } from '../http/errors.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import { type Visit, type VisitContext, isRestricted } from './visit.ts';
import type { MeasurementKeeper } from '../learning/keep-measurements.ts';
import type { Tickets } from './tickets.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { SiteLine } from '../site/line-table.ts';
import type { Area } from '../learning/area.ts';
import { findArea, findNetwork } from './find-area.ts';
import type { Steering } from '../learning/create-steering.ts';

export type HostnamesDeps = {
  readonly tokens: CallerTokens;
  readonly tickets: Tickets;
  readonly metrics: Pick<Metrics, 'countHandedOut'>;
  readonly steering: Pick<Steering, 'setLines' | 'pick' | 'shareOut'>;
  readonly measurements: Pick<MeasurementKeeper, 'countHostnameCall' | 'countHandedOut' | 'countVisit'>;
  /** How many visits of one prefix count as load. */
  readonly visitLimiter: RateLimiter;
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
  steering,
  measurements,
  visitLimiter,
}: HostnamesDeps): (c: VisitContext) => Response {
  return (c) => {
    const visit = c.get('visit');
    const caller = findProvenCaller(visit, tokens);
    if (isRestricted(visit) || (caller !== visit.caller && isRestricted({ ...visit, caller }))) {
      refuseRegion();
    }
    const { lines, fallbackIds } = visit.site.lines;
    const area = findArea(caller, visit);
    steering.setLines(lines, visit.site.config.lines.steering);
    const picked = steering.pick(area);
    const handedOut = picked.flatMap((index) => lines[index] ?? []);
    for (const { host, id } of handedOut) {
      metrics.countHandedOut(host);
      measurements.countHandedOut(id);
    }
    measurements.countHostnameCall();
    // The network of the connection, not of a proven address: a caller can collect proofs, but not connections from
    // elsewhere.
    const network = networkOf(visit.caller.address, NETWORK_PARTS);
    if (visitLimiter.consume(network).isAllowed) countVisit(area, picked, lines);
    const lineIds = [...handedOut.map(({ id }) => id), fallbackIds].join('.');
    return answerJson(
      handedOut.map(({ written }) => written),
      { ...c.get('apiHeaders'), [TICKET_HEADER]: tickets.issue({ network, area, lineIds }) },
    );
  };

  /**
   * Nobody knows yet which line the visitor will enter, so each line gets a part of the visit, by how likely it is to win.
   */
  function countVisit(area: Area, picked: readonly number[], lines: readonly SiteLine[]): void {
    for (const [place, part] of steering.shareOut(area, picked).entries()) {
      const line = lines[picked[place] ?? -1];
      if (line !== undefined) measurements.countVisit(line.id, part);
    }
  }
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
