import { once } from 'node:events';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { tenthOf } from '../../engine/testing/tenth-of.ts';
import { idOf } from '../testing/intake-messages.ts';
import { makeDataFolder, openTestRecordings } from '../testing/open-test-database.ts';
import { spawnFunction } from '../testing/spawn-function.ts';
import { keepRecordings } from './keep-recordings.ts';

const KILLS = tenthOf(50);
const SESSIONS = 5;
const RECORD_FOR_EVER = new URL('../testing/record-for-ever.ts', import.meta.url);

test(
  `a portal that is killed while it writes, ${KILLS} times, loses nothing that was written`,
  { timeout: 120_000 },
  async () => {
    const data = await makeDataFolder();
    let written = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = written;
      const child = await spawnFunction(RECORD_FOR_EVER, 'recordForEver', [data, SESSIONS, before + 1]);
      child.on('message', (number) => (written = Number(number)));
      await once(child, 'message');
      const exited = once(child, 'exit');
      // Each a little later into a batch than the last.
      setTimeout(() => child.kill('SIGKILL'), (kill * 20) / KILLS);
      await exited;
      const kept = await readNumbers(data);
      for (const numbers of kept) {
        // Whole, in order, without a gap; and at most one batch more than was told.
        expect(numbers).toEqual(numbers.map((_, index) => index + 1));
        expect(numbers.length).toBeGreaterThanOrEqual(written);
        expect(numbers.length).toBeLessThanOrEqual(written + 1);
      }
      // What the last batch wrote before it was killed is there, and comes again.
      expect(written).toBeGreaterThan(before);
    }
  },
);

/** The numbers of all segments of each session, as the next process finds them. */
async function readNumbers(data: string): Promise<readonly (readonly number[])[]> {
  const keeper = keepRecordings({
    database: await openTestRecordings({ dataDir: data }),
    limits: () => ({ keepDays: 30, keepBytes: 1e12 }),
    log: pino({ level: 'silent' }),
    now: Date.now,
  });
  const sessions = [...Array(SESSIONS).keys()].map(async (session) => {
    const parts: string[] = [];
    for await (const part of keeper.readEvents(idOf(session), idOf(2))) parts.push(part);
    const events = JSON.parse(`[${parts.join(',')}]`) as { timestamp: number; text: string }[];
    for (const { timestamp, text } of events) expect(text).toContain(`segment ${timestamp} of ${session} x`);
    const found = await keeper.find(idOf(session));
    expect(found?.views[0]?.segments.kept).toBe(events.length);
    return events.map(({ timestamp }) => timestamp);
  });
  return Promise.all(sessions);
}
