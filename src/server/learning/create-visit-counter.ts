import { type CountedReport, addReport } from './count-report.ts';
import { type Counts, WINDOW_MS, addVisits, createCounts, isEmpty, openTally } from './counts.ts';

/** What was counted in a window that is over, and when it ended. */
export type ClosedCounts = { readonly counts: Counts; readonly at: number };

/** Counts what visitors of this portal measure, ten seconds at a time. None of it waits for anything. */
export type VisitCounter = {
  readonly countReport: (report: CountedReport) => void;
  /** Counts a hostname call, and the lines that were handed out, with each line's part of the visit if the visit counts as load. */
  readonly countHandOut: (lineIds: readonly string[], parts?: readonly number[]) => void;
  /** Ends the window that is open, although its time is not over. */
  readonly closeWindow: () => void;
  /** Takes the windows that are over, oldest first. Each is taken once. */
  readonly takeClosed: () => readonly ClosedCounts[];
};

export function createVisitCounter(now: () => number): VisitCounter {
  const closed: ClosedCounts[] = [];
  let open = openWindow();

  return {
    countReport: (report) => addReport(openCounts(), report),
    countHandOut: (lineIds, parts = []) => {
      const counts = openCounts();
      counts.site.hostnameCalls += 1;
      for (const [place, lineId] of lineIds.entries()) {
        const tally = openTally(counts, lineId);
        tally.handedOut += 1;
        addVisits(tally, parts[place] ?? 0);
      }
    },
    closeWindow,
    takeClosed: () => {
      openCounts();
      return closed.splice(0);
    },
  };

  function openWindow() {
    return { number: Math.floor(now() / WINDOW_MS), counts: createCounts() };
  }

  /** What is counted now. */
  function openCounts(): Counts {
    // A new window opens whether the clock went on or was set back.
    if (Math.floor(now() / WINDOW_MS) !== open.number) closeWindow();
    return open.counts;
  }

  function closeWindow(): void {
    const { number, counts } = open;
    open = openWindow();
    if (!isEmpty(counts)) closed.push({ counts, at: (number + 1) * WINDOW_MS });
  }
}
