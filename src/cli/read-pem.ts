import { readFile } from 'node:fs/promises';
import { type SecureContext, createSecureContext, rootCertificates } from 'node:tls';
import { checkFile } from './given-paths.ts';
import { UsageError } from './command.ts';

/** Reads a file in PEM that an option names. */
export async function readPem(option: string, path: string): Promise<string> {
  await checkFile(option, path);
  const text = await readFile(path, 'utf8');
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
