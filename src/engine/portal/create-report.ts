import { MEASUREMENTS_PATH } from '../../contract/paths.ts';
import type { MeasurementReport } from '../../contract/api/measurement-report.ts';
import type { SpeedResult } from '../../contract/api/speed-result.ts';
import type { Line } from '../line/build-line.ts';

/** The value of the hostname call's header. */
type TicketHeader = string | null | undefined;

/** The report of what a page measured. */
export type Report = {
  /** Drops what was noted, because a new run begins. */
  readonly forget: () => void;
  /** Notes a probe that was sent. A cached result is not noted, because it was reported when it was measured. */
  readonly note: (host: string, result: Promise<SpeedResult | undefined>) => void;
  /** Takes the ticket, and the lines in the portal's order: those of the list, then the fallback hosts. */
  readonly open: (ticket: TicketHeader, lines: readonly (Line | undefined)[]) => void;
  /** Notes the host that the visitor enters, and the one that they were moved from. The next report tells it. */
  readonly enter: (host: string | undefined, left?: string) => void;
  /** Sends what is known, once for each ticket. */
  readonly send: () => void;
};

export type ReportSettings = {
  readonly now: () => number;
  /** Sends in the background, even while the page closes. */
  readonly sendBeacon: (path: string, body: string) => void;
};

/** A probe that was sent. */
type Noted = Pick<SpeedResult, 'time'> & { readonly cause?: MeasurementReport['results'][number]['outcome'] };

/** Collects what one run of a page measures, and sends it when the visitor enters a line, leaves, or starts over. */
export function createReport({ now, sendBeacon }: ReportSettings): Report {
  let ticket: TicketHeader;
  let hosts: readonly (string | undefined)[] = [];
  let entered: string | undefined;
  let left: string | undefined;
  let results = new Map<string, Noted>();
  const forget = (): void => {
    ticket = undefined;
    entered = undefined;
    results = new Map();
  };
  return {
    forget,
    note(host, result) {
      // A result that arrives after the report was sent must not go into the next one.
      const noted = results;
      const sentAt = now();
      noted.set(host, {
        cause: 'open',
        get time() {
          return Math.round(now() - sentAt);
        },
      });
      void result.then((found) => found && noted.set(host, found));
    },
    open(given, lines) {
      ticket = given;
      hosts = lines.map((line) => line?.host);
    },
    enter: (host, from) => {
      entered = host;
      left = from;
    },
    send() {
      if (!ticket || !(results.size || entered)) return;
      const enteredIndex = hosts.indexOf(entered);
      const report: MeasurementReport = {
        ticket,
        results: [...results]
          .map(([host, { cause = 'valid' as const, time }]) => ({
            index: hosts.indexOf(host),
            outcome: cause,
            time,
          }))
          // A row of the last list may be missing from the new one.
          .filter(({ index }) => index >= 0),
        entered: enteredIndex < 0 ? null : enteredIndex,
        // JSON leaves it out where nobody was moved.
        left: left === undefined ? left : hosts.indexOf(left),
      };
      forget();
      sendBeacon(MEASUREMENTS_PATH, JSON.stringify(report));
    },
  };
}
