import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { DeadlineError, withDeadline } from '../../process/with-deadline.ts';
import { CALL_LIMIT_MS, MAX_WAITING_CALLS, type Row, StoreAwayError, type Value } from '../database.ts';
import { explainSqliteFault } from './explain-sqlite-fault.ts';

/** A thread with one connection to a SQLite file: the main thread never waits for the disk. */
export type SqliteThread = {
  readonly run: (sql: string, values?: readonly Value[], limitMs?: number) => Promise<SqliteResult>;
  readonly close: () => Promise<void>;
};

export type SqliteSettings = {
  readonly file: string;
  readonly isReader: boolean;
  /** What the operator has to do if the file is damaged, if not to restore a backup. */
  readonly ifDamaged?: string | undefined;
};
export type SqliteResult = { readonly rows: readonly Row[]; readonly changes: number };
export type SqliteCall = { readonly id: number; readonly sql: string; readonly values: readonly Value[] };
export type SqliteFault = { readonly errcode: number; readonly message: string };
export type SqliteAnswer = { readonly id: number } & (SqliteResult | { readonly fault: SqliteFault });

type Waiting = { readonly resolve: (result: SqliteResult) => void; readonly reject: (error: Error) => void };

/** The thread opens the file at the first call. If the thread ends, the next call starts another one. */
export function startSqliteThread(settings: SqliteSettings): SqliteThread {
  const { file } = settings;
  const waiting = new Map<number, Waiting>();
  let thread: Worker | undefined;
  let lastId = 0;

  return {
    run: async (sql, values = [], limitMs = CALL_LIMIT_MS) => {
      if (waiting.size >= MAX_WAITING_CALLS)
        throw new StoreAwayError(`${file}: ${MAX_WAITING_CALLS} calls wait already`);
      const id = (lastId += 1);
      const answered = new Promise<SqliteResult>((resolve, reject) => waiting.set(id, { resolve, reject }));
      thread ??= start();
      // SQLite knows numbered parameters by another sign.
      const call: SqliteCall = { id, sql: sql.replaceAll(/\$(?=\d)/g, '?'), values };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage(call);
      try {
        return await withDeadline(answered, limitMs, `${file}: the disk did not answer within ${limitMs} ms`);
      } catch (error) {
        throw error instanceof DeadlineError ? new StoreAwayError(error.message) : error;
      }
    },
    close: async () => {
      const closing = thread;
      if (closing === undefined) return;
      const ended = once(closing, 'exit');
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      closing.postMessage('close');
      // A thread that waits for a disk that hangs cannot be ended. Nobody waits for it.
      await withDeadline(ended, CALL_LIMIT_MS, `${file} was not closed in time`).catch(
        () => void closing.terminate(),
      );
    },
  };

  function start(): Worker {
    // package.json names the compiled file: Node 20 runs no TypeScript in a thread, not even in a test.
    const worker = new Worker(createRequire(import.meta.url).resolve('#sqlite-worker'), {
      workerData: settings,
      // Options of the process, such as how it reads its first script, are not for the thread.
      execArgv: [],
      // Bytes of files and segments pass through it. With little room for new objects, they are given back soon.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    let cause: Error | undefined;
    worker.on('message', ({ id, ...answer }: SqliteAnswer) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if ('fault' in answer) asked?.reject(explainSqliteFault(settings, answer.fault));
      else asked?.resolve(answer);
    });
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => {
      thread = undefined;
      const lost = [...waiting.values()];
      waiting.clear();
      for (const { reject } of lost)
        reject(new StoreAwayError(`${file}: the thread of SQLite has ended`, { cause }));
    });
    return worker;
  }
}
