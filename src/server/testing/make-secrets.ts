import { join } from 'node:path';
import { loadSecret } from '../process/load-secret.ts';

const BEFORE_TELLING = 50;

/** Makes secrets in ever new folders until it is killed, and tells its parent when it is well under way. */
export async function makeSecrets(dir: string): Promise<void> {
  for (let made = 0; ; made += 8) {
    const folders = Array.from({ length: 8 }, (_, index) => join(dir, String(made + index)));
    await Promise.all(folders.map((folder) => loadSecret(folder, undefined)));
    if (made >= BEFORE_TELLING) process.send?.('under way');
  }
}
