import { pino } from 'pino';
import { openDatabase } from '../store/open-database.ts';
import { keepVisits } from '../visitors/keep-visits.ts';

/** Counts page views until it is killed. Tells the parent how many it had counted before each write that is done. */
export async function countForEver(dataDir: string): Promise<void> {
  const log = pino({ level: 'silent' });
  const visits = keepVisits({ database: await openDatabase({ dataDir, log }), log, now: Date.now });
  let counted = 0;
  const writeAgain = async (): Promise<void> => {
    const before = counted;
    const writing = visits.write();
    for (let view = 0; view < 10; view += 1) visits.count(new Map([['step/page_view', 1]]));
    counted += 10;
    await writing;
    process.send?.({ saved: before, counted });
    setImmediate(() => void writeAgain());
  };
  await writeAgain();
}
