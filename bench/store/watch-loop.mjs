// Loaded into a portal by `node --import`: at each SIGUSR2 it writes down the 99.9th percentile of the loop's delay since the last
// one, in ms. Nothing of this is in the product.
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env.WAYPOST_BENCH_LOOP;
// The threads and the child processes of a portal load this, too.
if (isMainThread && process.argv[2] === 'serve') {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('SIGUSR2', () => {
    appendFileSync(file, `${delay.percentile(99.9) / 1e6}\n`);
    delay.reset();
  });
}
