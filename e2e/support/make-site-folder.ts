import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DEMO_DIR = fileURLToPath(new URL('../../site/', import.meta.url));

type Json = { readonly [key: string]: unknown };

export type SiteChanges = {
  /** Merged into `site.json`, part by part. With other `locales`, the demo keeps only what it has in those. */
  readonly site?: Json;
  /** In place of the links of that name. */
  readonly links?: Json;
  /** The files of `/t` targets, by their name. */
  readonly targets?: Readonly<Record<string, Json>>;
  /** Files in place of the demo's, or beside them, by their path in the folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
};

export type SiteFolder = { readonly dir: string; readonly remove: () => Promise<void> };

/** Makes a copy of the demo's site folder, with changes. */
export async function makeSiteFolder({ site, links, targets, files }: SiteChanges): Promise<SiteFolder> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-site-'));
  await cp(DEMO_DIR, dir, { recursive: true });
  const locales = site?.['locales'] as readonly string[] | undefined;
  const readDemo = async (path: string): Promise<Json> =>
    keepLocales(await readFile(join(dir, path), 'utf8'), locales);
  const changed = {
    'site.json': JSON.stringify(mergeParts(await readDemo('site.json'), site)),
    'json/link.json': JSON.stringify({ ...(await readDemo('json/link.json')), ...links }),
    ...Object.fromEntries(
      Object.entries(targets ?? {}).map(([name, hosts]) => [`json/urls/${name}.json`, JSON.stringify(hosts)]),
    ),
    ...files,
  };
  await Promise.all(Object.entries(changed).map(([path, content]) => writeFile(join(dir, path), content)));
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}

/** Reads a file of the demo, which is an object, with its values by language in these languages alone. */
function keepLocales(json: string, locales: readonly string[] | undefined): Json {
  return JSON.parse(json, (key, value: unknown) => {
    const isByLocale = isPart(value) && ('default' in value || key === 'announcement');
    if (locales === undefined || !isByLocale) return value;
    return Object.fromEntries(
      Object.entries(value).filter(([name]) => name === 'default' || locales.includes(name)),
    );
  }) as Json;
}

function mergeParts(whole: Json, changes: Json = {}): Json {
  const merged: Record<string, unknown> = { ...whole };
  for (const [key, value] of Object.entries(changes)) {
    merged[key] = isPart(value) && isPart(whole[key]) ? { ...whole[key], ...value } : value;
  }
  return merged;
}

function isPart(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
