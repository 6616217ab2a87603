import { MEASUREMENTS_PATH } from '../../contract/paths.ts';
import type { MeasurementReport } from '../../contract/api/measurement-report.ts';
import type { SpeedResult } from '../../contract/api/speed-result.ts';
import type { Line } from '../line/build-line.ts';

/** As the header of the hostname call has it. */
type TicketHeader = string | null | undefined;

/** What a page measured, on its way back to the portal. */
export type Report = {
  /** Begins a new run: what is left of the one before is in no report. */
  readonly forget: () => void;
  /** Notes a probe that has left. Results that are used again were reported before. */
  readonly note: (host: string, result: Promise<SpeedResult | undefined>) => void;
  /** Takes the ticket, and the lines in the order in which the portal knows them: the list, then the fallback hosts. */
  readonly open: (ticket: TicketHeader, lines: readonly (Line | undefined)[]) => void;
  /** Sends what is known by now, once for each ticket, and the host that the visitor enters, if any. */
  readonly send: (entered?: string) => void;
};

export type ReportSettings = {
  /** Sends it even if the page is about to go, and lets nobody wait. */
  readonly sendBeacon: (path: string, body: string) => void;
};

/** Collects what one run of a page measures, and sends it when the visitor enters a line, leaves, or starts over. */
export function createReport({ sendBeacon }: ReportSettings): Report {
  let ticket: TicketHeader;
  let hosts: readonly (string | undefined)[] = [];
  let results = new Map<string, SpeedResult | undefined>();
  const forget = (): void => {
    ticket = undefined;
    results = new Map();
  };
  return {
    forget,
    note(host, result) {
      // What comes in after the report has left belongs to no other.
      const noted = results;
      noted.set(host, undefined);
      void result.then((found) => found && noted.set(host, found));
    },
    open(given, lines) {
      ticket = given;
      hosts = lines.map((line) => line?.host);
    },
    send(entered = '') {
      if (!ticket || !(results.size || entered)) return;
      const enteredIndex = hosts.indexOf(entered);
      const report: MeasurementReport = {
        ticket,
        results: [...results]
          .map(([host, result]) => ({
            index: hosts.indexOf(host),
            outcome: result ? (result.cause ?? ('valid' as const)) : ('open' as const),
            time: result?.time ?? 0,
          }))
          // A row that was measured again, seen again after its report, may be off the new list.
          .filter(({ index }) => index >= 0),
        entered: enteredIndex < 0 ? null : enteredIndex,
      };
      forget();
      sendBeacon(MEASUREMENTS_PATH, JSON.stringify(report));
    },
  };
}
