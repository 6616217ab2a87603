import type {
  EnteredLine,
  ErrorReport,
  ReplayState,
  SeenLines,
  SessionRecord,
} from '../../../contract/intake-message.ts';
import { writeWithoutQueries } from '../../../contract/without-queries.ts';

/** The first values of a record. The vitals change as the page is measured: each revision has what they are then. */
export type RecordStart = Pick<
  SessionRecord,
  | 'session'
  | 'view'
  | 'sessionStartedAt'
  | 'openedAt'
  | 'startedAt'
  | 'pageViews'
  | 'page'
  | 'device'
  | 'language'
  | 'replay'
  | 'vitals'
>;

export type SessionRecordBuilder = {
  readonly addError: (error: ErrorReport) => void;
  readonly addEnteredLine: (line: EnteredLine) => void;
  readonly setSeenLines: (lines: SeenLines) => void;
  readonly setReplay: (state: ReplayState) => void;
  /** Causes no revision of its own. The next one carries it. */
  readonly setSegments: (count: number) => void;
  readonly countDroppedSegment: () => void;
  readonly countOversizedEvent: () => void;
  /** Hands over the next revision as JSON, if anything has changed since the last one. */
  readonly takeRevision: (isWhole: boolean, take: (json: string) => void) => void;
};

/** The largest record. A closing page can send it together with the largest segment. */
const MAX_BYTES = 4_000;
const MAX_ENTERED_LINES = 10;
const MAX_MESSAGE_CHARACTERS = 200;
const MAX_STACK_CHARACTERS = 800;

/** Creates the record of one view of a session. Calls `onChange` when a new revision is due. */
export function createSessionRecord(start: RecordStart, onChange: () => void): SessionRecordBuilder {
  let record: SessionRecord = {
    kind: 'session',
    revision: 0,
    ...start,
    firstRowAt: null,
    reachedLines: 0,
    failedLines: 0,
    errors: [],
    errorsLeftOut: 0,
    enteredLines: [],
    segments: 0,
    droppedSegments: 0,
    oversizedEvents: 0,
    isWhole: false,
  };
  let isChanged = true;

  function change(changes: Partial<SessionRecord>): void {
    record = { ...record, ...changes };
    isChanged = true;
    onChange();
  }

  return {
    addError({ at, message, stack }) {
      const error = {
        at,
        message: message.slice(0, MAX_MESSAGE_CHARACTERS),
        stack: stack.slice(0, MAX_STACK_CHARACTERS),
      };
      const errors = [...record.errors, error];
      if (measureBytes({ ...record, errors }) <= MAX_BYTES) change({ errors });
      else change({ errorsLeftOut: record.errorsLeftOut + 1 });
    },
    addEnteredLine(line) {
      change({ enteredLines: [...record.enteredLines, line].slice(-MAX_ENTERED_LINES) });
    },
    setSeenLines: change,
    setReplay: (replay) => change({ replay }),
    setSegments(segments) {
      record = { ...record, segments };
      isChanged = true;
    },
    countDroppedSegment: () => change({ droppedSegments: record.droppedSegments + 1 }),
    countOversizedEvent: () => change({ oversizedEvents: record.oversizedEvents + 1 }),
    takeRevision(isWhole, take) {
      isChanged ||= record.isWhole !== isWhole;
      if (!isChanged) return;
      record = { ...record, revision: record.revision + 1, isWhole };
      take(writeWithoutQueries(record));
      // Set after the call, because Firefox may stop the script at any point while the page closes. Then the next flush
      // sends it again.
      isChanged = false;
    },
  };
}

function measureBytes(record: SessionRecord): number {
  return new TextEncoder().encode(JSON.stringify(record)).length;
}
