import type {
  EnteredLine,
  ErrorReport,
  ReplayState,
  SessionRecord,
} from '../../../contract/intake-message.ts';
import type { Vital } from './collect-vitals.ts';

/** What a record begins with. */
export type RecordStart = Pick<
  SessionRecord,
  'session' | 'view' | 'sessionStartedAt' | 'startedAt' | 'pageViews' | 'page' | 'device' | 'replay'
>;

export type SessionRecordBuilder = {
  readonly addError: (error: ErrorReport) => void;
  readonly addEnteredLine: (line: EnteredLine) => void;
  readonly setVital: (vital: Vital) => void;
  readonly setReplay: (state: ReplayState) => void;
  /** Not worth a revision of its own: it is sent along with the next. */
  readonly countSegment: () => void;
  readonly countDroppedSegment: () => void;
  readonly countOversizedEvent: () => void;
  /** The next revision as JSON; undefined where nothing has changed since the last one. */
  readonly takeRevision: () => string | undefined;
};

/** Of a record, with the last error in it: beside the largest segment, it fits into what a page may send as it goes. */
const MAX_BYTES = 4_000;
const MAX_ENTERED_LINES = 10;
const MAX_MESSAGE_CHARACTERS = 200;
const MAX_STACK_CHARACTERS = 800;

/** Creates the record of one view of a session. `onChange` is called for whatever is worth a new revision. */
export function createSessionRecord(start: RecordStart, onChange: () => void): SessionRecordBuilder {
  let record: SessionRecord = {
    kind: 'session',
    revision: 0,
    ...start,
    errors: [],
    errorsLeftOut: 0,
    vitals: {},
    enteredLines: [],
    segments: 0,
    droppedSegments: 0,
    oversizedEvents: 0,
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
    setVital: ({ name, value }) => change({ vitals: { ...record.vitals, [name]: value } }),
    setReplay: (replay) => change({ replay }),
    countSegment() {
      record = { ...record, segments: record.segments + 1 };
      isChanged = true;
    },
    countDroppedSegment: () => change({ droppedSegments: record.droppedSegments + 1 }),
    countOversizedEvent: () => change({ oversizedEvents: record.oversizedEvents + 1 }),
    takeRevision() {
      if (!isChanged) return undefined;
      isChanged = false;
      record = { ...record, revision: record.revision + 1 };
      return JSON.stringify(record);
    },
  };
}

function measureBytes(record: SessionRecord): number {
  return new TextEncoder().encode(JSON.stringify(record)).length;
}
