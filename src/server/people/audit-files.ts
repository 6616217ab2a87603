import { createReadStream } from 'node:fs';
import { appendFile, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { AuditEntry } from '../../contract/people.ts';
import { giveToOwner } from '../process/give-to-owner.ts';
import { readCode } from '../process/read-code.ts';

/**
 * The files of an audit log: one a month for what happened on this portal, `2026-11.jsonl`, and one for each other portal,
 * `2026-11.ID.jsonl`. In each of them the entries are in the order of time.
 */
export type AuditFiles = {
  /** Appends entries of this portal, or of another one. */
  readonly append: (entries: readonly AuditEntry[], portal?: string) => Promise<void>;
  /** The entries of all portals, or of one, the newest first. */
  readonly readBackward: (portal?: PortalChoice) => AsyncGenerator<AuditEntry>;
  /** The lines of all portals, the oldest first. */
  readonly readForward: () => AsyncGenerator<Buffer>;
  /** Whose files there are, beside this portal's own. */
  readonly listPortals: () => Promise<readonly string[]>;
  /** Removes months that had ended by then. */
  readonly removeBefore: (time: number) => Promise<void>;
};

/** `own` is this portal. */
type PortalChoice = { readonly own: true } | { readonly id: string };

type AuditFile = { readonly name: string; readonly month: string; readonly portal: string | undefined };

const NAME = /^(\d{4}-\d{2})(?:\.([\w-]+))?\.jsonl$/;
const CHUNK_BYTES = 65_536;

export function openAuditFiles(dir: string): AuditFiles {
  const checked = new Set<string>();
  return {
    append: async (entries, portal) => {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await giveToOwner(dir);
      for (const [month, lines] of groupByMonth(entries)) {
        const path = join(dir, portal === undefined ? `${month}.jsonl` : `${month}.${portal}.jsonl`);
        const isCut = !checked.has(path) && (await isCutOff(path));
        // A disk that is full may take a part of the lines.
        checked.delete(path);
        await appendFile(path, isCut ? `\n${lines}` : lines, { mode: 0o600 });
        checked.add(path);
        await giveToOwner(path);
      }
    },
    readBackward: async function* (choice) {
      const files = (await list()).filter(({ portal }) => isChosen(portal, choice));
      for (const month of monthsOf(files).toReversed()) {
        const sources = pathsOf(files, month).map((path) => parseEntries(readLinesBackward(path)));
        yield* mergeInOrder(sources, (one, other) => one.at > other.at);
      }
    },
    readForward: async function* () {
      const files = await list();
      for (const month of monthsOf(files)) {
        const paths = pathsOf(files, month);
        const [only, ...others] = paths;
        if (only !== undefined && others.length === 0) yield* readWhole(only);
        else {
          const sources = paths.map((path) => parseEntries(readLines(path)));
          const merged = mergeInOrder(sources, (one, other) => one.at < other.at);
          for await (const entry of merged) yield Buffer.from(`${JSON.stringify(entry)}\n`);
        }
      }
    },
    listPortals: async () => [...new Set((await list()).flatMap(({ portal }) => portal ?? []))],
    removeBefore: async (time) => {
      const old = (await list()).filter(({ month }) => endOf(month) <= time);
      await Promise.all(old.map(({ name }) => rm(join(dir, name), { force: true })));
    },
  };

  async function list(): Promise<readonly AuditFile[]> {
    try {
      return (await readdir(dir)).flatMap((name) => {
        const [, month, portal] = NAME.exec(name) ?? [];
        return month === undefined ? [] : [{ name, month, portal }];
      });
    } catch (error) {
      if (readCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  function pathsOf(files: readonly AuditFile[], month: string): readonly string[] {
    return files.filter((file) => file.month === month).map(({ name }) => join(dir, name));
  }
}

/** True if the last line was not written to its end, because the process was killed. */
async function isCutOff(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    return size > 0 && String(buffer) !== '\n';
  } finally {
    await file.close();
  }
}

function isChosen(portal: string | undefined, choice: PortalChoice | undefined): boolean {
  if (choice === undefined) return true;
  return 'own' in choice ? portal === undefined : portal === choice.id;
}

function monthsOf(files: readonly AuditFile[]): readonly string[] {
  return [...new Set(files.map(({ month }) => month))].toSorted();
}

function groupByMonth(entries: readonly AuditEntry[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const entry of entries) {
    const month = new Date(entry.at).toISOString().slice(0, 7);
    files.set(month, `${files.get(month) ?? ''}${JSON.stringify(entry)}\n`);
  }
  return files;
}

function endOf(month: string): number {
  const [year, number] = month.split('-').map(Number);
  // Months count from 0 here, so this is the first moment of the next one.
  return Date.UTC(year ?? 0, number ?? 0);
}

/** Of several sources that are in order, makes one that is. */
async function* mergeInOrder(
  sources: readonly AsyncGenerator<AuditEntry>[],
  isFirst: (one: AuditEntry, other: AuditEntry) => boolean,
): AsyncGenerator<AuditEntry> {
  try {
    const heads = new Map<AsyncGenerator<AuditEntry>, AuditEntry>();
    const advance = async (source: AsyncGenerator<AuditEntry>): Promise<void> => {
      const { done, value } = await source.next();
      if (done) heads.delete(source);
      else heads.set(source, value);
    };
    for (const source of sources) await advance(source);
    while (heads.size > 0) {
      const [source, entry] = [...heads].reduce((best, each) => (isFirst(each[1], best[1]) ? each : best));
      yield entry;
      await advance(source);
    }
  } finally {
    // Whoever has read enough leaves files open.
    for (const source of sources) await source.return(undefined);
  }
}

async function* parseEntries(lines: AsyncIterable<string>): AsyncGenerator<AuditEntry> {
  for await (const line of lines) {
    try {
      yield JSON.parse(line) as AuditEntry; // We wrote it.
    } catch {
      // Cut off when the disk was full, or the machine lost power.
    }
  }
}

async function* readWhole(path: string): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path)) yield chunk as Buffer;
}

async function* readLines(path: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
}

/** The lines of a file, the last one first, without reading more of it than is asked for. */
async function* readLinesBackward(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r');
  try {
    let end = (await file.stat()).size;
    let rest = Buffer.alloc(0);
    while (end > 0) {
      const start = Math.max(0, end - CHUNK_BYTES);
      const chunk = Buffer.alloc(end - start);
      await file.read(chunk, 0, chunk.length, start);
      const bytes = Buffer.concat([chunk, rest]);
      end = start;
      // The first line of a chunk may begin in the chunk before it.
      const from = start === 0 ? 0 : bytes.indexOf('\n') + 1;
      if (start > 0 && from === 0) {
        rest = bytes;
        continue;
      }
      rest = bytes.subarray(0, from);
      const lines = bytes.subarray(from).toString().split('\n');
      for (const line of lines.toReversed()) if (line !== '') yield line;
    }
  } finally {
    await file.close();
  }
}
