import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CAMPAIGN_PREFIX, TARGETS_PREFIX } from '../../contract/paths.ts';
import type { ExportedFile } from './list-export.ts';

/** Writes the files of an export in their order, and deletes the pages and targets that only an earlier export had. */
export async function writeExport(dir: string, files: readonly ExportedFile[]): Promise<void> {
  for (const file of files) await writeFileAndEncodings(dir, file);
  await removeOldContent(dir, files);
}

/** Writes a file, and its compressed forms if they are smaller. */
async function writeFileAndEncodings(dir: string, { path, answer }: ExportedFile): Promise<void> {
  const file = join(dir, path);
  await mkdir(dirname(file), { recursive: true });
  await putFile(file, answer.identity.body);
  await putFile(`${file}.br`, answer.br?.body);
  await putFile(`${file}.gz`, answer.gzip?.body);
}

/** Replaces a file in one step, because somebody may be serving the earlier export. Without bytes, deletes it. */
async function putFile(file: string, bytes: Uint8Array | undefined): Promise<void> {
  if (bytes === undefined) return rm(file, { force: true });
  await writeFile(`${file}.tmp`, bytes);
  await rename(`${file}.tmp`, file);
}

/**
 * An address of an old target may belong to somebody else by now, a campaign may be over, and a page in a language that was dropped
 * says what is no longer true. Scripts and images stay, because open pages may still ask for them.
 */
async function removeOldContent(dir: string, files: readonly ExportedFile[]): Promise<void> {
  const paths = new Set(files.map(({ path }) => path));
  for (const folder of ['/', '/json/', TARGETS_PREFIX, CAMPAIGN_PREFIX]) {
    const names = await readdir(join(dir, folder)).catch((): string[] => []);
    for (const name of names) {
      const path = folder + name.replace(/\.(?:br|gz)$/, '');
      if (/\.(?:html|json)$/.test(path) && !paths.has(path)) await rm(join(dir, folder, name));
    }
  }
}
