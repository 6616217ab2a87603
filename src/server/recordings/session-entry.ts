import type { SessionRecord } from '../../contract/intake-message.ts';
import { SESSION_MAX_MS } from '../../contract/limits.ts';
import type { SessionSummary, ViewSummary } from '../../contract/recordings.ts';
import type { Origin, RecordLabel, SegmentLabel } from './frames.ts';

/** What is known of a session without reading its files again. */
export type SessionEntry = {
  readonly id: string;
  /** The days whose files hold messages of it. */
  readonly days: Set<string>;
  readonly views: Map<string, ViewEntry>;
  /** When its first message arrived, and its last one. */
  firstAt: number;
  lastAt: number;
  messages: number;
  bytes: number;
  /** About as many bytes as it takes in memory. */
  cost: number;
  /** Of the newest record. */
  newest:
    | (Pick<SessionRecord, 'sessionStartedAt' | 'device' | 'language'> & { readonly origin: Origin })
    | null;
};

type ViewEntry = {
  /** The numbers of the segments that are kept. */
  readonly numbers: Set<number>;
  revision: number;
  cost: number;
  /** Null until its first record is there. */
  seen: SeenView | null;
};

/** What a record says of a view. */
type SeenView = Omit<ViewSummary, 'id' | 'errors' | 'segments'> & {
  readonly errors: readonly SeenError[];
  readonly segmentsMade: number;
};

export type SeenError = { readonly at: number; readonly message: string; readonly place: string };

/** Bounds for what strangers may write into the index. Our own pages stay below them. */
const MAX_ERRORS = 10;
const MAX_ENTERED = 10;
const MAX_STACK_LINES = 20;
const MAX_TEXT_CHARS = 200;
const MAX_LANGUAGE_CHARS = 35;
/** About as much memory as an empty entry, a view without texts, and the number of a segment take. */
const ENTRY_COST = 500;
const VIEW_COST = 500;
const SEGMENT_COST = 40;
/** A line of a stack such as `at run (https://a.example/app.js:1:2)`. */
const PLACE = /:\d{1,9}:\d{1,9}\)?$/;

export function createEntry(id: string, at: number): SessionEntry {
  return {
    id,
    days: new Set(),
    views: new Map(),
    firstAt: at,
    lastAt: at,
    messages: 0,
    bytes: 0,
    cost: ENTRY_COST,
    newest: null,
  };
}

/** True if the entry has this message, or a newer record of the view. */
export function hasMessage({ views }: SessionEntry, label: SegmentLabel | RecordLabel): boolean {
  const view = views.get(label.view);
  if (view === undefined) return false;
  return 'number' in label ? view.numbers.has(label.number) : label.revision <= view.revision;
}

export function addSegment(entry: SessionEntry, { view, number, at }: SegmentLabel): void {
  findView(entry, view).numbers.add(number);
  entry.cost += SEGMENT_COST;
  noteArrival(entry, at);
}

export function addRecord(
  entry: SessionEntry,
  { view, revision, at, origin }: RecordLabel,
  record: SessionRecord,
): void {
  const { sessionStartedAt, device } = record;
  // Of two views that are open at the same time, the last to arrive says it.
  if (entry.newest === null || at >= entry.lastAt) {
    const language = copy(record.language.slice(0, MAX_LANGUAGE_CHARS));
    entry.newest = { sessionStartedAt, device, language, origin };
  }
  const found = findView(entry, view);
  found.revision = revision;
  found.seen = copy(describeView(record));
  const cost = VIEW_COST + JSON.stringify(found.seen).length;
  entry.cost += cost - found.cost;
  found.cost = cost;
  noteArrival(entry, at);
}

/** As the console shows it. Undefined before its first record. */
export function summarize(entry: SessionEntry): SessionSummary | undefined {
  const { id, newest, bytes } = entry;
  if (newest === null) return undefined;
  const { device, language, origin } = newest;
  const { country, network } = origin;
  const views = [...entry.views]
    .flatMap(([viewId, { seen, numbers }]) => (seen ? [summarizeView(viewId, seen, numbers.size)] : []))
    .toSorted((a, b) => a.openedAt - b.openedAt);
  return {
    id,
    startedAt: findStart(entry),
    lastedMs: measureDuration(entry),
    device,
    language,
    country,
    network,
    views,
    bytes,
  };
}

/**
 * How long a session lasted, as far as is known: until its last message, by the server's clock, or from the first to the last
 * thing that happened, by the visitor's. The two clocks are never compared.
 */
function measureDuration(entry: SessionEntry): number {
  const times = listViews(entry).flatMap(({ openedAt, firstRowAt, entered, errors }) =>
    [openedAt, firstRowAt ?? openedAt].concat([...entered, ...errors].map(({ at }) => at)),
  );
  const happenedMs = Math.max(...times) - Math.min(...times);
  return Math.min(Math.max(entry.lastAt - entry.firstAt, happenedMs), SESSION_MAX_MS);
}

/** As the visitor's clock says, if that can be: a clock may be wrong by years, and a session lasts four hours at most. */
export function findStart({ newest, firstAt }: SessionEntry): number {
  return Math.min(Math.max(newest?.sessionStartedAt ?? firstAt, firstAt - SESSION_MAX_MS), firstAt);
}

/** Its views of which a record is there. */
export function listViews({ views }: SessionEntry): readonly SeenView[] {
  const found: SeenView[] = [];
  for (const { seen } of views.values()) if (seen) found.push(seen);
  return found;
}

function summarizeView(id: string, { segmentsMade, errors, ...seen }: SeenView, kept: number): ViewSummary {
  return {
    id,
    ...seen,
    errors: errors.map(({ at, message }) => ({ at, message })),
    segments: { kept, made: Math.max(kept, segmentsMade) },
  };
}

function describeView(record: SessionRecord): SeenView {
  const { openedAt, firstRowAt, reachedLines, failedLines, enteredLines, errors, vitals, replay } = record;
  return {
    openedAt,
    firstRowAt,
    reachedLines,
    failedLines,
    entered: enteredLines.slice(-MAX_ENTERED).map(({ at, host, time }) => ({ at, host: clip(host), time })),
    errors: errors.slice(0, MAX_ERRORS).map(({ at, message, stack }) => ({
      at,
      message: clip(message),
      place: findPlace(stack),
    })),
    lcpMs: vitals.LCP ?? null,
    replay,
    isWhole: record.isWhole ?? null,
    segmentsMade: record.segments,
  };
}

/** The first line of a stack that names a place. */
function findPlace(stack: string): string {
  const lines = stack.split('\n', MAX_STACK_LINES).map((line) => line.trim().slice(-MAX_TEXT_CHARS));
  return lines.find((line) => PLACE.test(line)) ?? '';
}

/**
 * In V8 a piece of a text is a view of it, and keeps all of it in memory: the pieces of a record of 16 KB would hold those
 * 16 KB. A copy holds nothing else.
 */
function copy<T>(pieces: T): T {
  return JSON.parse(JSON.stringify(pieces)) as T;
}

function clip(text: string): string {
  return text.slice(0, MAX_TEXT_CHARS);
}

function findView(entry: SessionEntry, id: string): ViewEntry {
  let view = entry.views.get(id);
  if (view === undefined) {
    view = { numbers: new Set(), revision: 0, cost: VIEW_COST, seen: null };
    entry.views.set(id, view);
    entry.cost += VIEW_COST;
  }
  return view;
}

function noteArrival(entry: SessionEntry, at: number): void {
  entry.firstAt = Math.min(entry.firstAt, at);
  entry.lastAt = Math.max(entry.lastAt, at);
  entry.messages += 1;
}
