import { X509Certificate, createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Both in PEM. */
export type Certificate = { readonly key: string; readonly cert: string };

/** The argument with which the whole of a Chromium trusts this certificate, and no other. Told to ignore all errors, it would see none. */
export function trustCertificate({ cert }: Pick<Certificate, 'cert'>): string {
  const key = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  return `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`;
}

/** Makes a self-signed certificate for these names (`*.line1.localhost` too), trusted by clients that trust the certificate itself. */
export async function makeCertificate(
  names: readonly string[],
  { days = 90, isExpired = false } = {},
): Promise<Certificate> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-certificate-'));
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  const altNames = names.map((name) => `DNS:${name}`).join(',');
  try {
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = ['-subj', '/CN=waypost-test', '-addext', `subjectAltName=${altNames}`];
    await run('openssl', [...request, ...subject, '-days', String(days), '-keyout', key, '-out', cert]);
    // `openssl req` takes no negative number of days; signing again does.
    if (isExpired) await run('openssl', ['x509', '-in', cert, '-signkey', key, '-days', '-1', '-out', cert]);
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  } finally {
    await rm(dir, { recursive: true });
  }
}
