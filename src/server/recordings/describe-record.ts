import type { SessionRecord } from '../../contract/intake-message.ts';
import { type ViewMarks, type ViewSummary, markView } from '../../contract/recordings.ts';

/** What only the server knows of a visitor. Empty where it does not. Never an address. */
export type VisitorFacts = {
  /** Two letters. */
  readonly country: string;
  /** An area, such as "GB/AS2856" or "/198.51". */
  readonly network: string;
  /** Such as "Chrome 131". */
  readonly browser: string;
};

/** What is kept of a record. */
export type DescribedRecord = Pick<SessionRecord, 'sessionStartedAt' | 'device' | 'language'> & {
  readonly marks: ViewMarks;
  /** The first and the last thing that happened, by the visitor's clock. */
  readonly happened: { readonly from: number; readonly to: number };
  readonly errors: readonly DescribedError[];
  /** The hosts of the lines that were entered. */
  readonly hosts: readonly string[];
  /** A `SeenView`, as JSON: it is only written and shown. */
  readonly seen: string;
  /** The stacks of the errors, as a JSON array. The list of sessions does not need them. */
  readonly stacks: string;
};

type DescribedError = {
  readonly at: number;
  readonly message: string;
  /** The first line of the stack that names a place. */
  readonly place: string;
};

/** What a record says of a view. */
export type SeenView = Omit<ViewSummary, 'id' | 'segments'> & { readonly segmentsMade: number };

/** Bounds for what strangers may write. Our own pages stay below them. */
const MAX_ERRORS = 10;
const MAX_ENTERED = 10;
const MAX_STACK_LINES = 20;
const MAX_TEXT_CHARS = 200;
const MAX_LANGUAGE_CHARS = 35;
/** Enough of a stack to find the place. */
const MAX_STACK_CHARS = 4_000;
/** A line of a stack such as `at run (https://a.example/app.js:1:2)`. */
const PLACE = /:\d{1,9}:\d{1,9}\)?$/;

export function describeRecord(record: SessionRecord): DescribedRecord {
  const errors = record.errors.slice(0, MAX_ERRORS);
  const seen = describeView({ ...record, errors });
  return copy({
    sessionStartedAt: Math.round(record.sessionStartedAt),
    device: record.device,
    language: record.language.slice(0, MAX_LANGUAGE_CHARS),
    marks: markView(seen),
    happened: findHappened(seen),
    errors: errors.map(({ at, message, stack }) => ({
      at: Math.round(at),
      message: clip(message),
      place: findStackLine(stack),
    })),
    hosts: [...new Set(seen.entered.map(({ host }) => host))],
    seen: JSON.stringify(seen),
    stacks: JSON.stringify(errors.map(({ stack }) => stack.slice(0, MAX_STACK_CHARS))),
  });
}

function describeView(record: SessionRecord): SeenView {
  const { openedAt, firstRowAt, reachedLines, failedLines, enteredLines, errors, vitals, replay } = record;
  return {
    openedAt,
    firstRowAt,
    reachedLines,
    failedLines,
    entered: enteredLines.slice(-MAX_ENTERED).map(({ at, host, time }) => ({ at, host: clip(host), time })),
    errors: errors.map(({ at, message }) => ({ at, message: clip(message) })),
    lcpMs: vitals.LCP ?? null,
    replay,
    isWhole: record.isWhole ?? null,
    segmentsMade: record.segments,
  };
}

function findHappened({ openedAt, firstRowAt, entered, errors }: SeenView): DescribedRecord['happened'] {
  const times = [openedAt, firstRowAt ?? openedAt].concat([...entered, ...errors].map(({ at }) => at));
  return { from: Math.round(Math.min(...times)), to: Math.round(Math.max(...times)) };
}

function findStackLine(stack: string): string {
  const lines = stack.split('\n', MAX_STACK_LINES).map((line) => line.trim().slice(-MAX_TEXT_CHARS));
  return lines.find((line) => PLACE.test(line)) ?? '';
}

/**
 * In V8 a piece of a text is a view of it, and keeps all of it in memory: the pieces of a record of 16 KB would hold those
 * 16 KB while they wait. A copy holds nothing else.
 */
function copy<T>(pieces: T): T {
  return JSON.parse(JSON.stringify(pieces)) as T;
}

function clip(text: string): string {
  return text.slice(0, MAX_TEXT_CHARS);
}
