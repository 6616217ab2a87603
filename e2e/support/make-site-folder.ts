import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DEMO_DIR = fileURLToPath(new URL('../../site/', import.meta.url));

export type SiteFolder = { readonly dir: string; readonly remove: () => Promise<void> };

type Changes = {
  /** In place of the keys of that name in `lines` of `site.json`. */
  readonly lines?: Readonly<Record<string, unknown>>;
  /** Files in place of the demo's, or beside them, by their path in the folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** The one `/t` target, `localhost`. */
  readonly target?: Readonly<Record<string, string>>;
};

/** Makes a copy of the demo's site folder, with changes. */
export async function makeSiteFolder({ lines, files, target = {} }: Changes): Promise<SiteFolder> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-site-'));
  await cp(DEMO_DIR, dir, { recursive: true });
  const config = JSON.parse(await readFile(join(dir, 'site.json'), 'utf8'));
  const changed = {
    'site.json': JSON.stringify({ ...config, lines: { ...config.lines, ...lines } }),
    'json/urls/localhost.json': JSON.stringify(target),
    ...files,
  };
  await Promise.all(Object.entries(changed).map(([path, content]) => writeFile(join(dir, path), content)));
  return { dir, remove: () => rm(dir, { recursive: true }) };
}
