import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import type { Logger } from 'pino';
import { createLimit } from '../../../contract/create-limit.ts';
import { restBetween } from '../../process/rest-between.ts';
import { DeskError } from '../desk-error.ts';
import type { Job, JobAnswer, JobLimits } from './answer-jobs.ts';
import { type DeskWork, type JobName, createDeskWork } from './jobs.ts';

export type OpenedDeskWork = { readonly work: DeskWork; readonly close: () => void };

export type DeskWorkOptions = {
  readonly log: Pick<Logger, 'warn'>;
  /** Starts a process that answers jobs. A test may start another one. */
  readonly startProcess?: (limits: JobLimits) => ChildProcess | Promise<ChildProcess>;
  /** One job may take this long in all, waiting for the processor included. */
  readonly limitMs?: number;
};

/** Images have a process of their own, so that nobody waits for an encoder who only wants to change a text. */
const IMAGE_JOBS: ReadonlySet<JobName> = new Set<JobName>(['makeBetterFormats', 'decodeQr']);
const LIMITS: JobLimits = { maxCpuMs: 10_000, maxResidentBytes: 400_000_000 };
const LIMIT_MS = 20_000;
const MAX_WAITING = 16;
/** Somebody who edits a site comes back within a minute. After that the memory is given back. */
const REST_MS = 60_000;
/** Megabytes of what JavaScript holds: a hundred times the largest file. */
const MAX_HEAP_MB = 256;
/** 0 is usual. At 10 the work gets a tenth of the share of a portal on a busy machine. At 19 an edit would never end there. */
const PRIORITY = 10;

/** Opens the processes that do the desk's work. Each starts when it is needed, runs one job at a time, and can be stopped. */
export function openDeskWork({
  log,
  startProcess = forkProcess,
  limitMs = LIMIT_MS,
}: DeskWorkOptions): OpenedDeskWork {
  let isClosed = false;
  const [texts, images] = [createLane(), createLane()];
  return {
    work: createDeskWork((name, input) => (IMAGE_JOBS.has(name) ? images : texts).run({ name, input })),
    close: () => {
      isClosed = true;
      texts.end();
      images.end();
    },
  };

  function createLane() {
    const inTurn = createLimit(1, { maxWaiting: MAX_WAITING, refuse: refuseBusy });
    const runRested = restBetween(() => performance.now());
    let child: ChildProcess | undefined;
    let resting: NodeJS.Timeout | undefined;
    return { run: (job: Job) => inTurn(() => run(job)), end };

    async function run(job: Job): Promise<unknown> {
      clearTimeout(resting);
      const answer = await runRested(async () => {
        if (isClosed) refuseBusy();
        child = child?.connected ? child : await startProcess(LIMITS);
        return ask(child, job, limitMs);
      });
      if (answer === undefined) {
        end();
        log.warn({ job: job.name }, 'work of the desk was stopped: it took too long, or too much memory');
        throw new DeskError('took-too-long', { kind: 'took-too-long' });
      }
      resting = setTimeout(end, REST_MS).unref();
      switch (answer.kind) {
        case 'done':
          return answer.output;
        case 'refused': {
          const { code, refusal, details } = answer.error;
          throw new DeskError(code, refusal, details);
        }
        case 'failed':
          throw new Error(`work of the desk failed: ${answer.stack}`);
      }
    }

    function end(): void {
      child?.kill('SIGKILL');
      child = undefined;
    }
  }
}

/** Undefined if the process ended, or had to be ended, before it answered. */
function ask(child: ChildProcess, job: Job, limitMs: number): Promise<JobAnswer | undefined> {
  return new Promise((resolve) => {
    const settle = (answer?: JobAnswer): void => {
      clearTimeout(timer);
      child.off('message', settle).off('exit', lose);
      resolve(answer);
    };
    const lose = (): void => settle();
    const timer = setTimeout(lose, limitMs);
    child.on('message', settle).on('exit', lose);
    child.send(job, (error) => {
      if (error !== null) lose();
    });
  });
}

function forkProcess(limits: JobLimits): ChildProcess {
  // package.json names the compiled file: Node 20 runs no TypeScript, not even in a test.
  const { PATH = '', LD_LIBRARY_PATH = '' } = process.env;
  const child = fork(createRequire(import.meta.url).resolve('#desk-work'), [JSON.stringify(limits)], {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    // Without the secrets that the portal's variables hold. One thread: more would take the processor from visitors.
    env: { PATH, LD_LIBRARY_PATH, UV_THREADPOOL_SIZE: '1', VIPS_CONCURRENCY: '1' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // A process that could not be started takes no job, and `ask` finds that out.
  child.on('error', () => undefined);
  // A portal ends without waiting for it.
  child.unref();
  child.channel?.unref();
  try {
    if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
  } catch {
    // Not every system lets a process do this, and the work is done all the same.
  }
  return child;
}

function refuseBusy(): never {
  throw new DeskError('desk-busy', { kind: 'busy' });
}
