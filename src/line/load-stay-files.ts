import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { STAY_SCRIPT_PATH, STAY_WORKER_PATH } from '../contract/paths.ts';

/** The script and the worker that keep visitors in when a line is lost, by their path on a line. */
export type StayFiles = ReadonlyMap<string, string>;

/** Reads the files as the package has them. Without a build there are none, and a line answers 404. */
export async function loadStayFiles(): Promise<StayFiles> {
  const files = new Map<string, string>();
  for (const path of [STAY_SCRIPT_PATH, STAY_WORKER_PATH]) {
    const file = new URL(`../../deploy/line/www/waypost/${basename(path)}`, import.meta.url);
    const script = await readFile(file, 'utf8').catch(() => undefined);
    if (script !== undefined) files.set(path, script);
  }
  return files;
}
