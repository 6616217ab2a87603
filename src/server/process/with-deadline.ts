/** A caller waits this long for a disk that hangs. */
export const DISK_LIMIT_MS = 20_000;

/** Something did not answer in time. It may still be running: a read of a file cannot be stopped. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  readonly code = 'deadline';
}

/** The same promise, but it rejects with this message when it has taken too long. */
export async function withDeadline<T>(job: Promise<T>, limitMs: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(message)), limitMs);
  });
  try {
    return await Promise.race([job, passed]);
  } finally {
    clearTimeout(timer);
  }
}
