// find-sessions.mjs DATA_FOLDER [URL]: fills a database with 100,000 recorded sessions, and prints the ms that it takes to list,
// filter and page them, and to group their errors. A program of its own, because it measures the code as it is built.
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { keepRecordings } from '../../dist/server/recordings/keep-recordings.js';
import { openDatabase, openRecordingsDatabase } from '../../dist/server/store/open-database.js';

const SESSIONS = 100_000;
const SESSIONS_PER_WRITE = 1_000;
const DAYS = 10;
const DAY_MS = 86_400_000;
const LOOKS = 5;
const COUNTRIES = ['SG', 'MY', 'TH', 'VN', 'PH', 'ID', 'HK', 'TW', 'JP', 'KR'];
/** Some are rare: one session in a hundred had an error, one in a thousand was in this network. */
const FILTERS = [
  {},
  { device: 'pc' },
  { error: true, device: 'mobile' },
  { country: 'KR', language: 'en' },
  { network: 'SG/AS64999' },
  { line: 'line7.example' },
  { stuck: true },
  { country: 'XX' },
];

const [dataDir, url] = process.argv.slice(2);
const place = { dataDir, url, log: pino({ level: 'silent' }) };
const main = await openDatabase(place);
const database = openRecordingsDatabase(place, main);
const now = Date.now();
let at = now;
const keeper = keepRecordings({
  database,
  limits: () => ({ keepDays: 30, keepBytes: 1e12 }),
  log: place.log,
  now: () => at,
});
// A place near the end of the list.
let deep;
for (let number = 0; number < SESSIONS; number += 1) {
  at = now - Math.floor((number / SESSIONS) * DAYS * DAY_MS);
  const session = randomBytes(16).toString('hex');
  if (number === SESSIONS * 0.9) deep = `${at}-${session}`;
  const origin = {
    country: COUNTRIES[number % COUNTRIES.length],
    network: number % 1_000 === 0 ? 'SG/AS64999' : `SG/AS${64_500 + (number % 300)}`,
    browser: 'Chrome 131',
  };
  const verdict = keeper.take({ message: createRecord(session, number), packed: Buffer.alloc(0) }, origin);
  if (verdict !== 'taken') throw new Error(`a session was not taken: ${verdict}`);
  if (number % SESSIONS_PER_WRITE === SESSIONS_PER_WRITE - 1) await keeper.flush();
}
await keeper.refresh();
if (keeper.state().sessions !== SESSIONS) throw new Error(`there are ${keeper.state().sessions} sessions`);

const times = { lists: [], pages: [], groups: [] };
for (let look = 0; look < LOOKS; look += 1) {
  for (const filter of FILTERS) {
    times.lists.push(await time(() => keeper.list(filter)));
    times.pages.push(await time(() => keeper.list(filter, deep)));
  }
  times.groups.push(await time(keeper.groupErrors));
}
await database.close();
await main.close();
process.stdout.write(JSON.stringify(times));

function createRecord(session, number) {
  const errors =
    number % 100 === 0 ? [{ at, message: `TypeError: x${number % 1_700} is undefined`, stack: '' }] : [];
  return {
    kind: 'session',
    session,
    view: randomBytes(16).toString('hex'),
    revision: 1,
    segments: 1,
    sessionStartedAt: at,
    openedAt: at,
    startedAt: at,
    pageViews: 1,
    page: '/',
    device: number % 3 === 0 ? 'pc' : 'mobile',
    language: number % 2 === 0 ? 'en' : 'zh-CN',
    firstRowAt: at + 700,
    reachedLines: 3,
    failedLines: 1,
    replay: 'recording',
    errors,
    errorsLeftOut: 0,
    vitals: { LCP: 900, CLS: 0.01, FCP: 500, TTFB: 80 },
    enteredLines: [{ at, index: 1, host: `line${number % 40}.example`, time: 40 }],
    droppedSegments: 0,
    oversizedEvents: 0,
  };
}

async function time(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
