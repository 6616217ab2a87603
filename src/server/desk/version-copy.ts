import * as v from 'valibot';
import type { SiteFiles } from '../site/read-site-folder.ts';
import type { LastGood } from '../store/open-last-good.ts';

/** The live version, as a portal needs it to serve alone. */
export type VersionCopy = { readonly number: number; readonly files: SiteFiles };

const headSchema = v.strictObject({
  number: v.number(),
  files: v.array(v.strictObject({ path: v.string(), size: v.number() })),
});

/** Keeps the live version in the data folder, for a start while the database is away. */
export function keepCopy(lastGood: LastGood, { number, files }: VersionCopy): Promise<void> {
  const entries = [...files];
  const head = { number, files: entries.map(([path, bytes]) => ({ path, size: bytes.length })) };
  // The bytes of all files come after a line of JSON that says how long each is.
  const line = Buffer.from(`${JSON.stringify(head)}\n`);
  return lastGood.keep('site', Buffer.concat([line, ...entries.map(([, bytes]) => bytes)]));
}

/** Undefined if there is no copy, or if it is damaged. */
export async function readCopy(lastGood: LastGood): Promise<VersionCopy | undefined> {
  const bytes = await lastGood.read('site');
  if (bytes === undefined) return undefined;
  const start = bytes.indexOf('\n') + 1;
  const { success, output } = v.safeParse(
    v.pipe(v.string(), v.parseJson(), headSchema),
    bytes.toString('utf8', 0, start),
  );
  if (!success) return undefined;
  let at = start;
  const files = new Map<string, Buffer>();
  for (const { path, size } of output.files) {
    files.set(path, bytes.subarray(at, at + size));
    at += size;
  }
  return at === bytes.length ? { number: output.number, files } : undefined;
}
