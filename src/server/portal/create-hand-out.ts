import { FAVOURITE_HEADER, TICKET_HEADER } from '../../contract/api/headers.ts';
import type { WrittenHostEntry } from '../../contract/api/host-entry.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import type { Caller } from '../caller/find-caller.ts';
import { namePrefix } from '../caller/parse-address.ts';
import type { AnswerHeaders } from '../http/prepare-answer.ts';
import type { RateLimiter } from '../http/create-rate-limiter.ts';
import type { Steering } from '../learning/create-steering.ts';
import type { MeasurementKeeper } from '../learning/keep-measurements.ts';
import { findFavourite } from '../learning/score.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { LineCall } from '../visitors/call-cells.ts';
import { findPlace } from './find-place.ts';
import type { HeldLines } from './create-held-lines.ts';
import type { Tickets } from './create-tickets.ts';
import { type Visit, readHostname } from './visit.ts';

export type HandOutDeps = {
  readonly tickets: Tickets;
  readonly metrics: Pick<Metrics, 'countHandedOut'>;
  readonly steering: Pick<Steering, 'setLines' | 'pick' | 'shareOut'>;
  readonly measurements: Pick<MeasurementKeeper, 'countHandOut'>;
  readonly countCall: (call: Omit<LineCall, 'portal'>) => void;
  /** How many visits of one prefix count as load. */
  readonly visitLimiter: RateLimiter;
  readonly heldLines: Pick<HeldLines, 'read'>;
  readonly now: () => number;
};

export type HandedOut = {
  /** At most four, as the site folder has them written. */
  readonly hosts: readonly WrittenHostEntry[];
  /** The headers of the answer: the ticket, and the favourite if there is one. */
  readonly headers: AnswerHeaders;
};

/** Hands out lines to a caller of a region that is served. */
export type HandOutLines = (visit: Visit, caller: Caller) => HandedOut;

/** Hands out at most four lines, and a ticket with which the page may report what it measured of them. */
export function createHandOut({
  tickets,
  metrics,
  steering,
  measurements,
  countCall,
  visitLimiter,
  heldLines,
  now,
}: HandOutDeps): HandOutLines {
  return (visit, caller) => {
    const { lines, fallbackIds, findExclusions } = visit.site.lines;
    const { area, visitor } = findPlace(caller, visit);
    steering.setLines(lines, visit.site.config.lines.steering);
    const heldId = heldLines.read(visit);
    const held = heldId === undefined ? -1 : lines.findIndex(({ id }) => id === heldId);
    const picked = steering.pick(area, {
      excluded: findExclusions({ ...visitor, heldId }, now()),
      held: held === -1 ? undefined : held,
    });
    const parts = steering.shareOut(area, picked);
    const hosts: WrittenHostEntry[] = [];
    const lineIds: string[] = [];
    for (const index of picked) {
      const line = lines[index];
      if (line === undefined) continue;
      metrics.countHandedOut(line.host);
      hosts.push(line.written);
      lineIds.push(line.id);
    }
    // The prefix of the connection, not of a proven address: a caller can collect proofs, but cannot connect from other
    // prefixes. The ticket carries the prefix, and not the whole address.
    const prefix = namePrefix(visit.caller.address);
    const isCounted = visitLimiter.consume(prefix).isAllowed;
    // One caller who asks again and again is not counted: it could hide that all others are missing, and would be missed when it stops.
    if (isCounted) countCall({ domain: readHostname(visit.header('host')), area });
    // Nobody knows yet which line the visitor will enter, so each line gets a part of the visit, by how likely it is to win.
    measurements.countHandOut(lineIds, isCounted ? parts : undefined);
    return {
      hosts,
      headers: {
        [TICKET_HEADER]: tickets.issue({ prefix, area, lineIds: [...lineIds, ...fallbackIds] }),
        ...nameFavourite(visit.site.config.lines, parts),
      },
    };
  };
}

/** Names the line that pages may fetch ahead, if there is one. */
function nameFavourite({ prefetch, steering }: SiteConfig['lines'], parts: readonly number[]): AnswerHeaders {
  const favourite = prefetch === 'off' || steering === 'uniform' ? undefined : findFavourite(parts);
  return favourite === undefined ? {} : { [FAVOURITE_HEADER]: String(favourite) };
}
