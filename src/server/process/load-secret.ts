import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readCode } from './read-code.ts';
import { readDataFile } from './read-data-file.ts';
import { replaceFile } from './replace-file.ts';
import { withDeadline } from './with-deadline.ts';

export const SECRET_BYTES = 32;
const FILE = 'secret';
const FOLDER_LIMIT_MS = 10_000;

/** A secret that cannot be used: too short, a file that is not ours, or a folder that cannot be written. */
class SecretError extends Error {
  override readonly name = 'SecretError';
  readonly code = 'secret';
}

/** The server's secret: the given one, else that of the data folder, made there at the first start. */
export function loadSecret(dataDir: string, given: string | undefined): Promise<Uint8Array> {
  return waitForFolder(findSecret(dataDir, given), dataDir);
}

/** Keeps the secret that the replicas agreed on. If Redis forgets it, the next start offers the same one. */
export function keepSecret(dataDir: string, secret: Uint8Array): Promise<void> {
  const text = `${Buffer.from(secret).toString('base64url')}\n`;
  return waitForFolder(replaceFile(join(dataDir, FILE), Buffer.from(text)), dataDir);
}

/** A folder on a network may stop answering. */
function waitForFolder<T>(job: Promise<T>, dataDir: string): Promise<T> {
  return withDeadline(job, FOLDER_LIMIT_MS, `${dataDir}: the data folder does not answer`);
}

async function findSecret(dataDir: string, given: string | undefined): Promise<Uint8Array> {
  if (given !== undefined && given !== '') {
    if (given.length < SECRET_BYTES) {
      throw new SecretError(
        `WAYPOST_SECRET must have at least ${SECRET_BYTES} characters, got ${given.length}`,
      );
    }
    return Buffer.from(given);
  }
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return (await readSecret(dataDir)) ?? (await makeSecret(dataDir));
  } catch (error) {
    if (!isErrnoException(error)) throw error;
    throw new SecretError(
      `${dataDir}: the data folder must be one that the user who runs the server can write to (${error.code})`,
      { cause: error },
    );
  }
}

async function readSecret(dataDir: string): Promise<Uint8Array | undefined> {
  const file = join(dataDir, FILE);
  let text: string;
  try {
    text = await readDataFile(file);
  } catch (error) {
    if (readCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const secret = Buffer.from(text.trim(), 'base64url');
  if (secret.length === SECRET_BYTES) return secret;
  throw new SecretError(
    `${file} does not hold a secret of ours: delete it, and a new one is made at the next start`,
  );
}

/**
 * The file appears under its name only when it is whole and on the disk. A hard link, unlike a rename, never replaces
 * the secret of another replica that was faster. A start that is killed in between leaves a temporary file that nobody
 * reads.
 */
async function makeSecret(dataDir: string): Promise<Uint8Array> {
  const unfinished = join(dataDir, `${FILE}.${randomUUID()}.tmp`);
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(unfinished, join(dataDir, FILE));
  } catch (error) {
    if (readCode(error) !== 'EEXIST') throw error;
  }
  await rm(unfinished, { force: true });
  const secret = await readSecret(dataDir);
  if (secret === undefined) throw new SecretError(`${join(dataDir, FILE)} went away while it was being made`);
  return secret;
}

/** An error of Node's own. Ours name the file already. */
function isErrnoException(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
