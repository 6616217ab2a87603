import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DEMO_DIR = fileURLToPath(new URL('../../site/', import.meta.url));

type Json = { readonly [key: string]: unknown };

export type SiteChanges = {
  /** Merged into `site.json`, part by part. */
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
  const changed = {
    'site.json': JSON.stringify(mergeParts(await readJson(join(dir, 'site.json')), site)),
    'json/link.json': JSON.stringify({ ...(await readJson(join(dir, 'json/link.json'))), ...links }),
    ...Object.fromEntries(
      Object.entries(targets ?? {}).map(([name, hosts]) => [`json/urls/${name}.json`, JSON.stringify(hosts)]),
    ),
    ...files,
  };
  await Promise.all(Object.entries(changed).map(([path, content]) => writeFile(join(dir, path), content)));
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}

async function readJson(file: string): Promise<Json> {
  // The demo's own files are objects.
  return JSON.parse(await readFile(file, 'utf8')) as Json;
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
