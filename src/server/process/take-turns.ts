/** Runs a job when those before it are done. */
export type InTurn = <T>(job: () => Promise<T>) => Promise<T>;

/** Lets jobs run one at a time, in the order in which they come. One that fails does not stop those after it. */
export function takeTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const done = last.then(job);
    // The caller of the job gets its error.
    last = done.catch(() => undefined);
    return done;
  };
}
