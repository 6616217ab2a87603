import { STAY_HEADER, TICKET_HEADER } from '../../contract/api/headers.ts';
import type { StayRules } from '../../contract/line/stay-rules.ts';
import { findKeepDays } from '../../contract/site/offline-settings.ts';
import { namePrefix } from '../caller/parse-address.ts';
import type { Steering } from '../learning/create-steering.ts';
import type { SiteLine } from '../site/create-line-table.ts';
import type { HandedOut } from './create-hand-out.ts';
import { findPlace } from './find-place.ts';
import type { Tickets } from './create-tickets.ts';
import type { Visit } from './visit.ts';

export type SiblingsDeps = {
  readonly tickets: Tickets;
  readonly steering: Pick<Steering, 'setLines' | 'draw'>;
  readonly now: () => number;
};

/** Hands out at most four lines to a visitor who is in a line already. */
export type HandOutSiblings = (visit: Visit, line: SiteLine) => HandedOut;

/**
 * Hands out siblings by the same rules as lines, but counts nothing: the visitor has not come for another line, and most never
 * need one. The ticket names the line that asks, too, so that its loss can be reported.
 */
export function createHandOutSiblings({ tickets, steering, now }: SiblingsDeps): HandOutSiblings {
  return (visit, line) => {
    const { config, lines: table } = visit.site;
    const { lines, byId } = table;
    const { area, visitor } = findPlace(visit.caller, visit);
    steering.setLines(lines, config.lines.steering);
    const excluded = new Set(table.findExclusions(visitor, now()).keys());
    excluded.add(lines.indexOf(line));
    const siblings = steering.draw(area, excluded).flatMap((index) => lines[index] ?? []);
    const backups = table.fallbackIds.flatMap((id) => (id === line.id ? [] : (byId.get(id) ?? [])));
    const { marker, markerHeader, ports } = config.lines;
    // Names of hosts are in punycode here, and markers are ASCII, so a header can carry all of it.
    const rules: StayRules = {
      marker,
      markerHeader,
      ports,
      fallback: backups.map(({ host }) => host),
      mayKeep: findKeepDays(config) !== undefined,
    };
    return {
      hosts: siblings.map(({ written }) => written),
      headers: {
        [TICKET_HEADER]: tickets.issue({
          prefix: namePrefix(visit.caller.address),
          area,
          lineIds: [...siblings, ...backups, line].map(({ id }) => id),
        }),
        [STAY_HEADER]: JSON.stringify(rules),
      },
    };
  };
}
