import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { giveToOwner } from '../process/give-to-owner.ts';
import { readCode } from '../process/read-code.ts';
import { replaceFile } from '../process/replace-file.ts';
import { type PlacedFrame, readFrames } from './frames.ts';

/** Where the messages of a session of one day are. */
export type RecordingFile = {
  /** In UTC, such as 2026-11-16. */
  readonly day: string;
  readonly session: string;
};

export type StoredFile = RecordingFile & {
  /** What it takes of the disk. */
  readonly bytes: number;
  readonly changedAt: number;
};

/** That a session was erased, and when. Its id is not kept. */
export type ErasedSession = { readonly hash: string; readonly at: number };

/** Keeps frames by session and day. Only one call at a time may change a file. */
export type RecordingStore = {
  /** Adds whole frames to the end of a file: all of them, or it throws. Returns how many bytes more it takes of the disk. */
  readonly append: (file: RecordingFile, frames: Buffer) => Promise<number>;
  /** The whole frames of a file, in the order in which they came. None if there is no such file. */
  readonly read: (file: RecordingFile) => AsyncGenerator<PlacedFrame>;
  /** The oldest first. */
  readonly listDays: () => Promise<readonly string[]>;
  readonly listFiles: (day: string) => Promise<readonly StoredFile[]>;
  /** Does nothing if there is no such file. */
  readonly remove: (file: RecordingFile) => Promise<void>;
  readonly readErased: () => Promise<readonly ErasedSession[]>;
  /** Replaces what was written before, as a whole. */
  readonly writeErased: (erased: readonly ErasedSession[]) => Promise<void>;
};

/** The day of a time in UTC, such as 2026-11-16. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export type RecordingStoreOptions = {
  readonly dir: string;
  /** Instead of the system's own, for tests of a disk that fails. */
  readonly write?: (file: FileHandle, bytes: Buffer, position: number) => Promise<number>;
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const NAME = /^([\da-f]{32})\.rec$/;
const ERASED_FILE = 'erased';
const ERASED_LINE = /^([\da-f]{64}) (\d{1,15})$/;
/** Files whose size is remembered, because something was added to them. */
const MAX_KNOWN_SIZES = 20_000;
/**
 * A disk gives a file whole blocks, of this size on most systems. Strangers can send a million tiny sessions: counted by
 * their lengths, they would fill a disk long before `keepBytes`.
 */
const BLOCK_BYTES = 4_096;

/** Keeps frames in files, `2026-11-16/SESSION.rec`, and what was erased in `erased`, a line for each session. */
export function createRecordingStore({ dir, write = writeOnce }: RecordingStoreOptions): RecordingStore {
  const pathOf = ({ day, session }: RecordingFile): string => join(dir, day, `${session}.rec`);
  /** Sizes of files that end with a whole frame. */
  const sizes = new Map<string, number>();

  return {
    append: async (name, frames) => {
      const path = pathOf(name);
      const file = await openToWrite(path, join(dir, name.day));
      try {
        const size = sizes.get(path) ?? (await cutTornTail(file));
        sizes.delete(path);
        await writeWhole(file, frames, size);
        if (sizes.size >= MAX_KNOWN_SIZES) sizes.clear();
        sizes.set(path, size + frames.length);
        return roomOf(size + frames.length) - roomOf(size);
      } finally {
        await file.close();
      }
    },
    read: async function* (name) {
      const file = await open(pathOf(name), 'r').catch(ignoreMissing);
      if (file === undefined) return;
      try {
        yield* readFrames(file);
      } finally {
        await file.close();
      }
    },
    listDays: async () => ((await readdir(dir).catch(ignoreMissing)) ?? []).filter(isDay).toSorted(),
    listFiles: async (day) => {
      const files: StoredFile[] = [];
      for (const name of (await readdir(join(dir, day)).catch(ignoreMissing)) ?? []) {
        const session = NAME.exec(name)?.[1];
        const found = session && (await stat(join(dir, day, name)).catch(ignoreMissing));
        if (session && found)
          files.push({ day, session, bytes: roomOf(found.size), changedAt: found.mtimeMs });
      }
      return files;
    },
    remove: async (name) => {
      const path = pathOf(name);
      sizes.delete(path);
      await rm(path, { force: true });
      // The last one takes its folder with it. A folder that has others is not removed.
      await rmdir(join(dir, name.day)).catch(() => undefined);
    },
    readErased: async () => {
      const text = await readFile(join(dir, ERASED_FILE), 'utf8').catch(ignoreMissing);
      return (text ?? '').split('\n').flatMap((line) => {
        const [, hash, at] = ERASED_LINE.exec(line) ?? [];
        return hash === undefined ? [] : [{ hash, at: Number(at) }];
      });
    },
    writeErased: async (erased) => {
      await makeFolders(dir);
      const lines = erased.map(({ hash, at }) => `${hash} ${at}\n`);
      await replaceFile(join(dir, ERASED_FILE), Buffer.from(lines.join('')));
    },
  };

  async function openToWrite(path: string, dayDir: string): Promise<FileHandle> {
    const isKnown = sizes.has(path);
    if (!isKnown) await makeFolders(dir, dayDir);
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    if (!isKnown) await giveToOwner(path);
    return file;
  }

  /** All of it, or nothing: what comes next may be shorter than what a full disk took of this. */
  async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
    try {
      for (let written = 0; written < bytes.length;) {
        written += await write(file, bytes.subarray(written), position + written);
      }
    } catch (error) {
      await file.truncate(position);
      throw error;
    }
  }
}

async function makeFolders(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    if ((await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined) await giveToOwner(folder);
  }
}

function roomOf(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/** A process that was killed, or a full disk, leaves the start of a frame. */
async function cutTornTail(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  let whole = 0;
  for await (const { end } of readFrames(file)) whole = end;
  if (whole < size) await file.truncate(whole);
  return whole;
}

async function writeOnce(file: FileHandle, bytes: Buffer, position: number): Promise<number> {
  return (await file.write(bytes, 0, bytes.length, position)).bytesWritten;
}

function isDay(name: string): boolean {
  return DAY.test(name);
}

function ignoreMissing(error: unknown): undefined {
  if (readCode(error) === 'ENOENT') return undefined;
  throw error;
}
