import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readCode } from '../process/read-code.ts';
import { readDataFile } from '../process/read-data-file.ts';
import { replaceFile } from '../process/replace-file.ts';
import type { Redis } from './open-redis.ts';

export type NameOptions = {
  /** What the site is called now. */
  readonly brand: string;
  /** Where this replica keeps the name. */
  readonly path: string;
};

const KEEP_MS = 86_400_000;
const MAX_NAME_CHARS = 200;

/**
 * Finds the name under which the replicas of a site meet in Redis: what the site was called when they first met. A brand
 * that is renamed in the console must not separate a replica that starts afterwards from those that run.
 */
export async function agreeOnName(redis: Redis, { brand, path }: NameOptions): Promise<string> {
  const kept = await readDataFile(path).catch((error: unknown) => {
    // Another name would separate this replica from the others, and would be kept.
    if (readCode(error) !== 'ENOENT') throw error;
    return '';
  });
  if (kept !== '' && kept.length <= MAX_NAME_CHARS) return kept;
  let name: string;
  try {
    name = (await redis.ask((client) => client.get(keyOf(brand)))) ?? brand;
  } catch {
    return brand; // Redis is away, so the next start asks again.
  }
  const usable = name.length <= MAX_NAME_CHARS ? name : brand;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await replaceFile(path, Buffer.from(usable));
  return usable;
}

/** Tells replicas that are new, and know only what the site is called now, under which name the others meet. */
export async function tellName(
  redis: Redis,
  { brand, name }: { brand: string; name: string },
): Promise<void> {
  if (brand === name) return;
  await redis.ask((client) => client.set(keyOf(brand), name, { expiration: { type: 'PX', value: KEEP_MS } }));
}

/** What all keys of a site start with. A cluster keeps those with the same text in braces on one node, for our scripts. */
export function prefixOf(name: string): string {
  return `waypost:{${name.replaceAll(/[{}]/g, '')}}`;
}

function keyOf(brand: string): string {
  return `${prefixOf(brand)}:name`;
}
