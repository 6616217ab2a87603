import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExportedFile } from './list-export.ts';

/** Writes a file, and beside it the encodings of it that are smaller. */
export async function writeExportedFile(dir: string, { path, answer }: ExportedFile): Promise<void> {
  const file = join(dir, path);
  await mkdir(dirname(file), { recursive: true });
  await putFile(file, answer.identity.body);
  await putFile(`${file}.br`, answer.br?.body);
  await putFile(`${file}.gz`, answer.gzip?.body);
}

/** Puts a file in its place as a whole, because the export of before may be served; without bytes, takes it away. */
async function putFile(file: string, bytes: Uint8Array | undefined): Promise<void> {
  if (bytes === undefined) return rm(file, { force: true });
  await writeFile(`${file}.tmp`, bytes);
  await rename(`${file}.tmp`, file);
}
