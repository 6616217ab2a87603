import { readFile } from 'node:fs/promises';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** Trusts the authorities in a PEM file beside the usual ones; undefined, which trusts those alone, without a file. */
export async function loadSecureContext(caFile: string | undefined): Promise<SecureContext | undefined> {
  if (caFile === undefined) return undefined;
  return createSecureContext({ ca: [...rootCertificates, await readFile(caFile, 'utf8')] });
}
