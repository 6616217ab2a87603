import type { ErrorReport, ReplayState } from './intake-message.ts';
import { type Device, VITAL_BOUNDS } from './visitors.ts';

/** What the console shows of the recordings that the portal keeps. Times are ms since 1970. */

/** A session, as the list of sessions shows it. */
export type SessionSummary = {
  readonly id: string;
  readonly startedAt: number;
  readonly lastedMs: number;
  readonly device: Device;
  /** The language of the page. */
  readonly language: string;
  /** Two letters. Empty if unknown. */
  readonly country: string;
  /** As the console names networks elsewhere. Empty if unknown. */
  readonly network: string;
  readonly views: readonly ViewSummary[];
  /** In the database. */
  readonly bytes: number;
};

/** One view of the landing page. */
export type ViewSummary = {
  readonly id: string;
  readonly openedAt: number;
  /** When the first row had its number. */
  readonly firstRowAt: number | null;
  readonly reachedLines: number;
  readonly failedLines: number;
  readonly entered: readonly { readonly at: number; readonly host: string; readonly time: number }[];
  readonly errors: readonly SeenError[];
  /** The largest contentful paint, in ms. */
  readonly lcpMs: number | null;
  readonly replay: ReplayState;
  /** False if the page is still open, or was killed: its end is missing. Null if its page could not tell. */
  readonly isWhole: boolean | null;
  /** The segments that the portal has, and all that the page made. */
  readonly segments: { readonly kept: number; readonly made: number };
};

/** An error of a view. The list has no stacks, because they would make it large. */
export type SeenError = Pick<ErrorReport, 'at' | 'message'> & { readonly stack?: string };

export type SessionList = {
  readonly sessions: readonly SessionSummary[];
  /** The place after which the list goes on: the next ones are asked for with it as `after`. Undefined at the end. */
  readonly next: string | undefined;
  readonly kept: RecordingsState;
};

/** How many recordings there are, and how much room they use. */
export type RecordingsState = {
  /** Whether `monitoring.intakeUrl` is "self". */
  readonly isOn: boolean;
  readonly sessions: number;
  readonly bytes: number;
  /** What the last try to write said, if it failed. */
  readonly fault: string | null;
};

/** The filter calls a view slow if its visitor entered a line later than this, or if its LCP is not good. */
const SLOW_ENTER_MS = 5_000;

/** The marks of a session in the list. The list can be filtered by them. */
export type SessionMarks = { readonly error: boolean; readonly stuck: boolean; readonly slow: boolean };

/** What went wrong in a view. `stuck` depends on all views of a session, so it is not here. */
export type ViewMarks = {
  readonly error: boolean;
  /** A line failed. */
  readonly failed: boolean;
  /** A line was reached, or entered. */
  readonly reached: boolean;
  readonly slow: boolean;
};

/** Finds what went wrong in a session. */
export function markSession({ views }: { readonly views: readonly MarkedView[] }): SessionMarks {
  return combineMarks(views.map(markView));
}

type MarkedView = Pick<
  ViewSummary,
  'errors' | 'failedLines' | 'reachedLines' | 'entered' | 'lcpMs' | 'openedAt'
>;

export function markView(view: MarkedView): ViewMarks {
  const { errors, failedLines, reachedLines, entered, lcpMs, openedAt } = view;
  const [first] = entered;
  return {
    error: errors.length > 0,
    failed: failedLines > 0,
    reached: reachedLines > 0 || first !== undefined,
    slow:
      (lcpMs ?? 0) > VITAL_BOUNDS.LCP.good || (first !== undefined && first.at - openedAt > SLOW_ENTER_MS),
  };
}

export function combineMarks(views: readonly ViewMarks[]): SessionMarks {
  return {
    error: views.some(({ error }) => error),
    stuck: views.some(({ failed }) => failed) && !views.some(({ reached }) => reached),
    slow: views.some(({ slow }) => slow),
  };
}

/** The filters of the list, as its query names them. */
export type SessionFilter = {
  /** Had an error. */
  readonly error?: boolean;
  /** Could not get in: lines failed, none was reached, none was entered. */
  readonly stuck?: boolean;
  /** A view with a largest contentful paint above 2.5 s, or entered later than 5 s after it opened. */
  readonly slow?: boolean;
  readonly device?: Device;
  readonly language?: string;
  readonly country?: string;
  readonly network?: string;
  /** The host of a line that was entered. */
  readonly line?: string;
  /** A day in UTC, such as 2026-11-16. */
  readonly day?: string;
};

/** Errors with the same message and place. */
export type ErrorGroup = {
  readonly message: string;
  /** The first line of the stack that names a place. */
  readonly place: string;
  readonly times: number;
  readonly sessions: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Such as "Chrome 131", the most frequent first. */
  readonly browsers: readonly string[];
  /** The newest session with this error; one with a replay if there is one. */
  readonly session: string;
};
