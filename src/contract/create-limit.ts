/** Runs a job when there is room for it. */
export type Limit = <T>(job: () => Promise<T>) => Promise<T>;

/** How many jobs may wait, and how a job beyond that is refused. */
type Queue = { readonly maxWaiting: number; readonly refuse: () => never };

/** Runs at most `most` jobs at once. The others wait in their order. Their number is unlimited unless `queue` limits it. */
export function createLimit(most: number, queue?: Queue): Limit {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (job) => {
    if (running >= most) {
      if (queue && waiting.length >= queue.maxWaiting) queue.refuse();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await job();
    } finally {
      // The next waiting job takes the place.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
