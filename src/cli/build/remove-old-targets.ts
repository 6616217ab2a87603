import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TARGETS_PREFIX } from '../../contract/paths.ts';
import type { ExportedFile } from './list-export.ts';

/** Takes away the targets that an export of before had and this one has not: an address may have been lost to others. */
export async function removeOldTargets(dir: string, files: readonly ExportedFile[]): Promise<void> {
  const paths = new Set(files.map(({ path }) => path));
  const names = await readdir(join(dir, TARGETS_PREFIX)).catch((): string[] => []);
  for (const name of names) {
    const path = `${TARGETS_PREFIX}${name.replace(/\.(?:br|gz)$/, '')}`;
    if (!paths.has(path)) await rm(join(dir, TARGETS_PREFIX, name));
  }
}
