// count-segments.mjs DATA_FOLDER [URL]: prints how many segments the database of a portal holds.
import { pino } from 'pino';
import { openDatabase, openRecordingsDatabase } from '../../dist/server/store/open-database.js';

const [dataDir, url] = process.argv.slice(2);
const place = { dataDir, url, log: pino({ level: 'silent' }) };
const main = await openDatabase(place);
const recordings = openRecordingsDatabase(place, main);
const [{ segments }] = await recordings.read(
  'select coalesce(sum(segments), 0) as segments from recorded_sessions where brand = $brand',
);
await recordings.close();
await main.close();
process.stdout.write(String(segments));
