import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type Json = { readonly [key: string]: unknown };

export type SiteChanges = {
  /** Merged into `site.json`, part by part. */
  readonly site?: Json;
  readonly links?: Json;
  /** The target files, by name. */
  readonly targets?: Readonly<Record<string, Json>>;
};

/** Writes a site folder: the demo brand's, with these changes. */
export async function writeSite(
  dir: string,
  { site = {}, links = {}, targets = {} }: SiteChanges,
): Promise<void> {
  await cp('site', dir, { recursive: true });
  await changeJson(join(dir, 'site.json'), (whole) => mergeParts(whole, site));
  await changeJson(join(dir, 'json/link.json'), (whole) => ({ ...whole, ...links }));
  for (const [name, hosts] of Object.entries(targets)) {
    await writeFile(join(dir, 'json/urls', `${name}.json`), JSON.stringify(hosts));
  }
}

async function changeJson(file: string, change: (whole: Json) => Json): Promise<void> {
  const whole = JSON.parse(await readFile(file, 'utf8')) as Json;
  await writeFile(file, JSON.stringify(change(whole)));
}

function mergeParts(whole: Json, changes: Json): Json {
  const merged: Record<string, unknown> = { ...whole };
  for (const [key, value] of Object.entries(changes)) {
    merged[key] = isPart(value) && isPart(whole[key]) ? { ...whole[key], ...value } : value;
  }
  return merged;
}

function isPart(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
