import type { Closing } from '../../contract/api/closing.ts';
import { TICKET_HEADER } from '../../contract/api/headers.ts';
import { ESTIMATE_TICK_MS, HOSTNAMES_PATIENCE_MS, LOADING_TAIL_MS, MAX_ROWS } from '../../contract/limits.ts';
import { type Store, createStore } from '../../contract/create-store.ts';
import { assignRows } from './assign-rows.ts';
import type { Prober } from '../probe/create-prober.ts';
import type { Report } from '../portal/create-report.ts';
import { type Row, type RowState, describeRows } from './describe-rows.ts';
import type { Effects, Visibility } from '../effects/effects.ts';
import { fetchCaller } from '../portal/fetch-caller.ts';
import { fetchHostnames } from '../portal/fetch-hostnames.ts';
import { linkAbort } from '../effects/link-abort.ts';
import type { Line } from '../line/build-line.ts';
import { shuffle } from '../effects/shuffle.ts';
import { wait } from '../effects/wait.ts';

export type BoardSnapshot = {
  /** Where the site is closed for this visitor, there are no rows. */
  readonly phase: 'loading' | 'ready' | Closing;
  readonly rows: readonly Row[];
};

/** The four rows as a store. */
export type LineBoard = Store<BoardSnapshot> & {
  /** Asks for the lines and measures them. Results of the last 10 seconds are used again. */
  readonly start: () => void;
  /** Forgets the results, aborts the run and starts a new one. */
  readonly retest: () => void;
};

export type LineBoardSettings = Effects & {
  readonly prober: Prober;
  readonly visibility: Visibility;
  readonly fallback: readonly string[];
  /** The base URL of the caller's-address service. Empty for our own server. */
  readonly callerService: string;
  readonly report?: Report;
};

const EMPTY_ROWS: readonly RowState[] = Array.from({ length: MAX_ROWS }, () => ({ line: undefined }));

/** Creates the board of the four rows. It sends nothing before `start`. */
export function createLineBoard(settings: LineBoardSettings): LineBoard {
  const { prober, visibility, fallback, callerService, report, setTimer, now, random } = settings;
  const backups = fallback.map((host) => prober.lineOf({ host }));
  let phase: BoardSnapshot['phase'] = 'loading';
  let rows = EMPTY_ROWS;
  // The rows when the run began: a listed line goes back to its row, even if a backup was shown there meanwhile.
  let linesBefore = linesOf(rows);
  const { getSnapshot, subscribe, set } = createStore<BoardSnapshot>({ phase, rows: [] });
  let run = new AbortController();
  let probes = new Map<string, AbortController>();
  let isTicking = false;
  // False until this run has its hosts. Until then the rows show those of the last run, and nothing is measured.
  let isFilled = false;

  function start(): void {
    run.abort();
    run = new AbortController();
    phase = 'loading';
    isFilled = false;
    probes = new Map();
    // The lines stay in their rows until the new list arrives, so that the visitor keeps links that work.
    rows = EMPTY_ROWS.map((_, index) => startOver(rows[index]));
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
    if (answer.kind !== 'listed') return closeBoard(answer.kind);
    const lines = answer.hosts.map(prober.lineOf);
    report?.open(answer.headers?.get(TICKET_HEADER), [...lines, ...backups]);
    fillRows(shuffle(lines, random));
    await wait(LOADING_TAIL_MS, signal, setTimer);
    if (signal.aborted) return;
    phase = 'ready';
    publish();
  }

  function closeBoard(closing: Closing): void {
    run.abort();
    phase = closing;
    rows = [];
    publish();
  }

  function fillRows(listed: readonly (Line | undefined)[]): void {
    rows = assignRows({ before: linesBefore, shown: linesOf(rows), listed, backups }).map(rowOf);
    isFilled = true;
    measureRows();
  }

  /** The row of a line, with what is known of it from the rows before. */
  function rowOf(line: RowState['line']): RowState {
    const same = line && rows.find((row) => row.line?.host === line.host);
    return { ...same, line };
  }

  /**
   * Starts a probe for each row that has a line and no result, and aborts all others. A hidden page sends no probes.
   */
  function measureRows(): void {
    const isSeen = !visibility.isHidden();
    const isWanted = ({ line, result }: RowState) => isSeen && line && !result;
    for (const [host, probe] of probes) {
      if (rows.some((row) => isWanted(row) && row.line?.host === host)) continue;
      probes.delete(host);
      probe.abort();
    }
    rows = rows.map((row) => {
      if (!row.line || !isWanted(row)) return row;
      void measureLine(row.line);
      return { ...row, probedAt: row.probedAt ?? now() };
    });
    publish();
  }

  async function measureLine(line: Line): Promise<void> {
    if (probes.has(line.host)) return;
    const probe = linkAbort(run.signal);
    probes.set(line.host, probe);
    const change = (changes: Partial<RowState>): void => {
      if (probe.signal.aborted) return;
      rows = rows.map((row) => (row.line?.host === line.host ? { ...row, ...changes } : row));
      publish();
    };
    const result = await prober.probe(line, probe.signal, () => change({ isInDoubt: true })).result;
    if (probe.signal.aborted) return;
    probes.delete(line.host);
    // Without a result, the page was hidden, and the row is measured again.
    change(result ? { result, isInDoubt: undefined } : {});
  }

  function publish(): void {
    const before = getSnapshot();
    const described = describeRows(rows, { isLoading: phase === 'loading', now: now(), before: before.rows });
    if (before.phase !== phase || described.some((row, index) => row !== before.rows[index])) {
      set({ phase, rows: described });
    }
    if (!isTicking && described.some(({ speed }) => speed.key === 'estimate')) void tick(run.signal);
  }

  /** Publishes the running estimates again after a moment. */
  async function tick(signal: AbortSignal): Promise<void> {
    isTicking = true;
    await wait(ESTIMATE_TICK_MS, signal, setTimer);
    isTicking = false;
    if (!signal.aborted) publish();
  }

  publish();
  visibility.subscribe(() => {
    if (isFilled) measureRows();
  });

  return {
    getSnapshot,
    subscribe,
    start,
    retest() {
      // A new run would show the fallback hosts until the portal refuses again.
      if (isClosed(phase)) return;
      report?.send();
      report?.forget();
      prober.clear();
      start();
    },
  };
}

/** Whether the site is closed for this visitor. */
export function isClosed(phase: BoardSnapshot['phase']): phase is Closing {
  return phase !== 'loading' && phase !== 'ready';
}

/** A row at the start of a new run. If another server answered there, the row has no link until a new result. */
function startOver(row: RowState | undefined): RowState {
  return { line: row?.line, isInDoubt: row?.isInDoubt || row?.result?.cause === 'wrong-server' || undefined };
}

function linesOf(rows: readonly RowState[]): readonly RowState['line'][] {
  return rows.map(({ line }) => line);
}
