import type { HostEntry } from '../contract/host-entry.ts';
import { ESTIMATE_TICK_MS, HOSTNAMES_PATIENCE_MS, LOADING_TAIL_MS, MAX_ROWS } from '../contract/limits.ts';
import { assignRows } from './assign-rows.ts';
import type { Prober } from './create-prober.ts';
import type { Report } from './create-report.ts';
import { type Row, type RowState, describeRows } from './describe-rows.ts';
import type { Effects, Visibility } from './effects.ts';
import { fetchCaller } from './fetch-caller.ts';
import { fetchHostnames } from './fetch-hostnames.ts';
import { linkAbort } from './link-abort.ts';
import type { Line } from './probe-line.ts';
import { shuffle } from './shuffle.ts';
import { wait } from './wait.ts';

export type BoardSnapshot = {
  /** `restricted`: the operator does not serve the visitor's region, and there are no rows. */
  readonly phase: 'loading' | 'ready' | 'restricted';
  readonly rows: readonly Row[];
};

/** The four rows as a store. */
export type LineBoard = {
  /** The same object until something changed. */
  readonly getSnapshot: () => BoardSnapshot;
  /** Returns what ends the subscription. */
  readonly subscribe: (onChange: () => void) => () => void;
  /** Asks for the lines and measures them; results of the last 10 seconds are used again. */
  readonly start: () => void;
  /** Forgets the results and starts over. A run that is under way is aborted. */
  readonly retest: () => void;
  /** Ends every request, timer and subscription. */
  readonly dispose: () => void;
};

export type LineBoardSettings = Effects & {
  readonly prober: Prober;
  readonly visibility: Visibility;
  readonly fallback: readonly string[];
  /** The base URL of the caller's-address service; empty for our own server. */
  readonly callerService: string;
  readonly report?: Report;
};

const EMPTY_ROWS = Array.from({ length: MAX_ROWS }, () => emptyRow(undefined));

/** Creates the board of the four rows. Nothing leaves before it is started. */
export function createLineBoard(settings: LineBoardSettings): LineBoard {
  const { prober, visibility, fallback, callerService, report, setTimer, now, random } = settings;
  const subscribers = new Set<() => void>();
  let phase: BoardSnapshot['phase'] = 'loading';
  let rows: readonly RowState[] = EMPTY_ROWS;
  // As the run began: a listed host finds its row again, although a backup has stepped in for it.
  let linesBefore = linesOf(rows);
  let snapshot: BoardSnapshot = { phase, rows: [] };
  let run = new AbortController();
  let measuring = linkAbort(run.signal);
  let isTicking = false;

  function start(): void {
    run.abort();
    run = new AbortController();
    phase = 'loading';
    // The hosts stay in their rows until the new list is in, so that nobody loses a link that works.
    rows = EMPTY_ROWS.map((_, index) => emptyRow(rows[index]?.line));
    linesBefore = linesOf(rows);
    publish();
    void performRun(run.signal);
  }

  async function performRun(signal: AbortSignal): Promise<void> {
    const caller = await fetchCaller(callerService, signal, settings);
    if (signal.aborted) return;
    const stopWaiting = setTimer(() => fillRows([]), HOSTNAMES_PATIENCE_MS);
    const answer = await fetchHostnames(caller, signal, settings);
    stopWaiting();
    if (signal.aborted) return;
    if (answer.kind === 'restricted') return closeBoard();
    report?.open(answer);
    fillRows(shuffle(answer.hosts, random));
    await wait(LOADING_TAIL_MS, signal, setTimer);
    if (signal.aborted) return;
    phase = 'ready';
    publish();
  }

  function closeBoard(): void {
    run.abort();
    phase = 'restricted';
    rows = [];
    publish();
  }

  function fillRows(hosts: readonly HostEntry[]): void {
    const lines = assignRows({
      before: linesBefore,
      shown: linesOf(rows),
      hosts,
      fallback,
      lineOf: prober.lineOf,
    });
    rows = rows.map((row, index) => {
      const line = lines[index];
      const isSameHost = line?.line.host === row.line?.line.host;
      return isSameHost ? { ...row, line } : emptyRow(line);
    });
    measureRows();
  }

  /** Measures every row that has a line and no result, as long as the page is seen. */
  function measureRows(): void {
    if (!visibility.isHidden()) {
      const last = measuring;
      measuring = linkAbort(run.signal);
      rows = rows.map(measureRow);
      // Only now: a probe that goes on in the new measurement is shared, not sent again.
      last.abort();
    }
    publish();
  }

  function measureRow(row: RowState): RowState {
    if (!row.line || row.result) return row;
    void collectResult(row.line.line, measuring.signal);
    return { ...row, probedAt: row.probedAt ?? now() };
  }

  async function collectResult(line: Line, signal: AbortSignal): Promise<void> {
    const result = await prober.probe(line, signal).result;
    if (!result || signal.aborted) return;
    rows = rows.map((row) => (row.line?.line.host === line.host ? { ...row, result } : row));
    publish();
  }

  function publish(): void {
    const described = describeRows(rows, {
      isLoading: phase === 'loading',
      now: now(),
      before: snapshot.rows,
    });
    if (snapshot.phase !== phase || described.some((row, index) => row !== snapshot.rows[index])) {
      snapshot = { phase, rows: described };
      for (const notify of subscribers) notify();
    }
    if (!isTicking && described.some(({ speed }) => speed.key === 'estimate')) void tick(run.signal);
  }

  /** Moves the running estimates on. */
  async function tick(signal: AbortSignal): Promise<void> {
    isTicking = true;
    await wait(ESTIMATE_TICK_MS, signal, setTimer);
    isTicking = false;
    if (!signal.aborted) publish();
  }

  publish();
  const unwatch = visibility.subscribe(() => {
    // What is measured unseen is thrown away, because browsers slow hidden pages down.
    if (visibility.isHidden()) measuring.abort();
    else measureRows();
  });

  return {
    getSnapshot: () => snapshot,
    subscribe(onChange) {
      subscribers.add(onChange);
      return () => subscribers.delete(onChange);
    },
    start,
    retest() {
      report?.send();
      report?.forget();
      prober.clear();
      start();
    },
    dispose() {
      run.abort();
      unwatch();
      subscribers.clear();
    },
  };
}

function emptyRow(line: RowState['line']): RowState {
  return { line, result: undefined, probedAt: undefined };
}

function linesOf(rows: readonly RowState[]): readonly RowState['line'][] {
  return rows.map(({ line }) => line);
}
