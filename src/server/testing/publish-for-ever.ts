import { pino } from 'pino';
import { openDeskStores } from '../desk/open-desk-stores.ts';
import { type DatabasePlace, openDatabase } from '../store/open-database.ts';

/** Commits one version after the other until it is killed. Each says its own number in all of its files. */
export async function publishForEver(place: DatabasePlace): Promise<void> {
  const database = await openDatabase({ ...place, log: pino({ level: 'silent' }) });
  const { versions, files: store } = openDeskStores({ database, siteDir: '', now: Date.now });
  for (;;) {
    const after = await versions.currentNumber();
    const number = after + 1;
    const paths = ['site.json', 'json/link.json', 'images/logo.svg'];
    const files = await store.putFiles(
      new Map(paths.map((path) => [path, Buffer.from(`${path} of ${number} ${'x'.repeat(50_000)}`)])),
    );
    await versions.commit({ after, at: 0, by: '', from: 'console', why: '', files });
    process.send?.(number);
  }
}
