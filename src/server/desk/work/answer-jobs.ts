import { startWatchdog } from '../../process/start-watchdog.ts';
import { DeskError } from '../desk-error.ts';
import { type JobName, runJobHere } from './jobs.ts';

/** One job at a time: the next is sent when this one is answered. */
export type Job = { readonly name: JobName; readonly input: readonly unknown[] };

export type JobAnswer =
  | { readonly kind: 'done'; readonly output: unknown }
  | { readonly kind: 'refused'; readonly error: Pick<DeskError, 'code' | 'refusal' | 'details'> }
  | { readonly kind: 'failed'; readonly stack: string };

export type JobLimits = {
  /** Processor time of one job. */
  readonly maxCpuMs: number;
  /** Memory of the process, also that of libraries which V8 knows nothing of. */
  readonly maxResidentBytes: number;
};

const LOOK_EVERY_MS = 100;
/** The portal stops a job long before. This is for a portal that was killed itself. */
const ORPHAN_LIMIT_MS = 60_000;

/** Answers the jobs of a portal, in a process of its own, and ends that process when a job takes more than it may. */
export function answerJobs({ maxCpuMs, maxResidentBytes }: JobLimits): void {
  let startedAt = process.cpuUsage();
  startWatchdog({ limitMs: ORPHAN_LIMIT_MS });
  process.on('disconnect', () => process.exit());
  process.on('message', (job: Job) => {
    startedAt = process.cpuUsage();
    void answer(job).then((answered) => process.send?.(answered));
  });
  // Images are encoded beside this thread, so it can look at what they take.
  setInterval(() => {
    const { user, system } = process.cpuUsage(startedAt);
    if ((user + system) / 1_000 > maxCpuMs || process.memoryUsage.rss() > maxResidentBytes) process.exit(1);
  }, LOOK_EVERY_MS);
}

async function answer({ name, input }: Job): Promise<JobAnswer> {
  try {
    return { kind: 'done', output: await runJobHere(name, input) };
  } catch (error) {
    if (!(error instanceof DeskError)) return { kind: 'failed', stack: String((error as Error).stack) };
    const { code, refusal, details } = error;
    return { kind: 'refused', error: { code, refusal, details } };
  }
}
