import { pino } from 'pino';
import { openDeskStores } from '../desk/open-desk-stores.ts';

/** Commits one version after the other until it is killed. Each says its own number in all of its files. */
export async function publishForEver(dir: string): Promise<void> {
  const { versions } = await openDeskStores({ dir, log: pino({ level: 'silent' }), now: Date.now });
  for (;;) {
    const number = versions.currentNumber() + 1;
    const paths = ['site.json', 'json/link.json', 'images/logo.svg'];
    const files = await versions.putFiles(
      new Map(paths.map((path) => [path, Buffer.from(`${path} of ${number} ${'x'.repeat(50_000)}`)])),
    );
    await versions.commit({ at: 0, by: '', from: 'console', why: '', files });
    process.send?.(number);
  }
}
