import { hash } from 'node:crypto';
import type { SiteFiles } from '../site/read-site-folder.ts';
import type { Database, Row } from '../store/database.ts';
import { type PartLimits, inParts, listPlaces } from '../store/many-rows.ts';
import { DeskError } from './desk-error.ts';
import type { Manifest } from './manifest.ts';

/** Keeps bytes under their own hash, so that an image is kept once, although several versions have it. */
export type FileStore = {
  /** Keeps files, unless they are kept already, and returns their hashes. */
  readonly putFiles: (files: SiteFiles) => Promise<Manifest>;
  /** Notes that these files are wanted: for a day nobody removes them. Returns those that are not kept. */
  readonly touch: (hashes: readonly string[]) => Promise<readonly string[]>;
  /** Throws if a file is missing, or is no longer what was put in. */
  readonly readFiles: (manifest: Manifest) => Promise<SiteFiles>;
  /** The JSON files. Of every other file its hash, which is all that a comparison needs. */
  readonly readOutline: (manifest: Manifest) => Promise<SiteFiles>;
  /** The number of bytes of each file, by its hash. */
  readonly readSizes: (hashes: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** Finds a file by the start of its hash. Undefined if there is none, or if it is damaged. */
  readonly findFile: (start: string) => Promise<Buffer | undefined>;
};

type FileRow = Row & { readonly hash: string; readonly bytes: Uint8Array };
type SizeRow = Row & { readonly hash: string; readonly size: number };

/** What one call carries: it must end within 5 seconds over a slow network, too. */
const BATCH: PartLimits = { maxBytes: 2_000_000, maxItems: 200 };

export function createFileStore({ read, change }: Pick<Database, 'read' | 'change'>): FileStore {
  return {
    putFiles: async (files) => {
      const hashed = [...files].map(([path, bytes]) => ({ path, hash: hashBytes(bytes), bytes }));
      const wanted = new Map(hashed.map(({ hash, bytes }) => [hash, bytes]));
      for (const missing of inParts(await touch([...wanted.keys()]), (hash) => sizeOf(wanted, hash), BATCH)) {
        await insertFiles(
          change,
          missing.map((hash) => [hash, wanted.get(hash) ?? Buffer.alloc(0)]),
        );
      }
      return Object.fromEntries(hashed.map(({ path, hash }) => [path, hash]));
    },
    touch,
    readFiles,
    readOutline: async (manifest) => {
      const entries = Object.entries(manifest);
      const json = await readFiles(Object.fromEntries(entries.filter(([path]) => path.endsWith('.json'))));
      return new Map(entries.map(([path, hash]) => [path, json.get(path) ?? Buffer.from(hash)]));
    },
    readSizes,
    findFile: async (start) => {
      // No digit of a hash comes after "f".
      const [row] = await read<FileRow>(
        'select hash, bytes from files where brand = $brand and hash >= $1 and hash < $2 order by hash limit 1',
        [start, `${start}g`],
      );
      return row && hashBytes(row.bytes) === row.hash ? toBuffer(row.bytes) : undefined;
    },
  };

  async function readFiles(manifest: Manifest): Promise<SiteFiles> {
    const sizes = await readSizes(Object.values(manifest));
    const found = new Map<string, Buffer>();
    for (const batch of inParts([...sizes.keys()], (hash) => sizes.get(hash) ?? 0, BATCH)) {
      const rows = await read<FileRow>(
        `select hash, bytes from files where brand = $brand and hash in (${listPlaces(batch)})`,
        batch,
      );
      for (const { hash, bytes } of rows) {
        if (hashBytes(bytes) === hash) found.set(hash, toBuffer(bytes));
      }
    }
    return new Map(
      Object.entries(manifest).map(([path, hash]) => [path, found.get(hash) ?? refuseFile(path, hash)]),
    );
  }

  async function readSizes(hashes: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const sizes = new Map<string, number>();
    for (const batch of inParts([...new Set(hashes)], () => 0, BATCH)) {
      const rows = await read<SizeRow>(
        `select hash, size from files where brand = $brand and hash in (${listPlaces(batch)})`,
        batch,
      );
      for (const { hash, size } of rows) sizes.set(hash, size);
    }
    return sizes;
  }

  async function touch(hashes: readonly string[]): Promise<readonly string[]> {
    const missing: string[] = [];
    for (const batch of inParts([...new Set(hashes)], () => 0, BATCH)) {
      const count = await change(
        `update files set put_at = $now where brand = $brand and hash in (${listPlaces(batch)})`,
        batch,
      );
      if (count === batch.length) continue;
      const kept = await readSizes(batch);
      missing.push(...batch.filter((hash) => !kept.has(hash)));
    }
    return missing;
  }
}

async function insertFiles(
  change: Database['change'],
  files: readonly (readonly [hash: string, bytes: Buffer])[],
): Promise<void> {
  const rows = files.map(([hash, bytes]) => [hash, bytes.length, bytes]);
  const groups = rows.map((row, index) => `($brand, ${listPlaces(row, index * row.length + 1)}, $now)`);
  await change(
    `insert into files (brand, hash, size, bytes, put_at) values ${groups.join(', ')}
     on conflict (brand, hash) do update set put_at = excluded.put_at`,
    rows.flat(),
  );
}

export function hashBytes(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

function sizeOf(files: ReadonlyMap<string, Buffer>, hash: string): number {
  return files.get(hash)?.length ?? 0;
}

function toBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

function refuseFile(path: string, hash: string): never {
  throw new DeskError('version-damaged', { kind: 'file-damaged', path, hash });
}
