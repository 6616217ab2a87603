/** Runs a job when there is room for it. */
export type Limit = <T>(job: () => Promise<T>) => Promise<T>;

/** How many jobs may wait, and what the others are told. */
type Queue = { readonly maxWaiting: number; readonly refuse: () => never };

/** Creates what runs at most so many jobs at once, the others in the order in which they come. All may wait, unless told otherwise. */
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
