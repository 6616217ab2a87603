import { readFile } from 'node:fs/promises';
import { type SecureContext, createSecureContext, rootCertificates } from 'node:tls';
import { readCode } from '../server/process/read-code.ts';
import { UsageError } from './command.ts';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['EISDIR', 'this is a folder'],
  ['EACCES', 'this user may not read it'],
]);

/** Reads a file in PEM that an option names. Node does not name a folder that is given instead. */
export async function readPem(option: string, path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const code = readCode(error);
    throw new UsageError(`${option} must be a file, got "${path}": ${REASONS.get(code) ?? code}`);
  });
  // Node silently ignores an authority that is none.
  if (text.includes('-----BEGIN ')) return text;
  throw new UsageError(
    `${option} must be a file in PEM, which begins with "-----BEGIN …", and "${path}" does not hold that`,
  );
}

/** Trusts the authorities in a PEM file in addition to the usual ones. Without a file, trusts the usual ones alone. */
export async function loadSecureContext(caFile: string | undefined): Promise<SecureContext | undefined> {
  if (caFile === undefined) return undefined;
  return createSecureContext({ ca: [...rootCertificates, await readPem('--ca', caFile)] });
}
