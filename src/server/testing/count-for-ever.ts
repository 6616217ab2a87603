import { pino } from 'pino';
import { keepVisits } from '../visitors/keep-visits.ts';

/** Counts page views until it is killed. Tells the parent how many it had counted before each save that is done. */
export async function countForEver(dataDir: string): Promise<void> {
  const visits = keepVisits({
    dataDir,
    shared: undefined,
    log: pino({ level: 'silent' }),
    now: Date.now,
  });
  let counted = 0;
  const saveAgain = async (): Promise<void> => {
    const before = counted;
    const saving = visits.save();
    for (let view = 0; view < 10; view += 1) visits.count(new Map([['step/page_view', 1]]));
    counted += 10;
    await saving;
    process.send?.({ saved: before, counted });
    setImmediate(() => void saveAgain());
  };
  await saveAgain();
}
