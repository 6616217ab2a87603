// find-visits.mjs DATA_FOLDER [URL]: fills a database with ten million hourly numbers of visits, and prints the ms that it takes to
// read 400 days of them, and to write meanwhile. A program of its own, because it measures the code as it is built.
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { openDatabase } from '../../dist/server/store/open-database.js';
import { keepVisits } from '../../dist/server/visitors/keep-visits.js';

const DAY_MS = 86_400_000;
const DAY_HOURS = 24;
const DAYS = 400;
/** Together 10 million rows. */
const CELLS_PER_HOUR = 1_042;
/** No statement may take longer than five seconds. */
const DAYS_PER_STATEMENT = 4;
const LOOKS = 5;
const WRITE_EVERY_MS = 50;

const [dataDir, url] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const database = await openDatabase({ dataDir, url, log });
const lastDay = Math.floor(Date.now() / DAY_MS) - 1;
const firstDay = lastDay - DAYS + 1;
for (let day = firstDay; day <= lastDay; day += DAYS_PER_STATEMENT) {
  const last = Math.min(day + DAYS_PER_STATEMENT - 1, lastDay);
  await insert('hour', day * DAY_HOURS, (last + 1) * DAY_HOURS - 1);
  await insert('day', day, last);
}

const visits = keepVisits({ database, log, now: Date.now });
const times = { points: [], sums: [], writes: [] };
const looking = new AbortController();
const writing = writeMeanwhile();
for (let look = 0; look < LOOKS; look += 1) {
  const question = { by: 'day', first: firstDay, last: lastDay, cells: ['cell/1', 'cell/2'] };
  times.points.push(await time(() => visits.readTimes(question)));
  times.sums.push(await time(() => visits.readSums(firstDay, (lastDay + 1) * DAY_HOURS - 1)));
}
looking.abort();
await writing;
await database.close();
process.stdout.write(JSON.stringify(times));

async function insert(by, first, last) {
  await database.change(
    `with recursive
       steps (step) as (select cast($1 as bigint) union all select step + 1 from steps where step < $2),
       cells (cell) as (select 1 union all select cell + 1 from cells where cell < ${CELLS_PER_HOUR})
     insert into visit_${by}s (brand, ${by}, cell, times)
       select $brand, step, 'cell/' || cell, 1 + (step + cell) % 9 from steps, cells`,
    [first, last],
  );
}

/** Another portal, which goes on counting. */
async function writeMeanwhile() {
  const other = keepVisits({ database, log, now: Date.now });
  while (!looking.signal.aborted) {
    other.count(new Map([['cell/1', 1]]));
    times.writes.push(await time(other.write));
    await wait(WRITE_EVERY_MS);
  }
}

async function time(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
