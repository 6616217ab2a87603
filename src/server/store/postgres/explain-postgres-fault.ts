import { readCode } from '../../../contract/read-code.ts';
import { ConflictError, StoreAwayError, StoreFaultError, StoreFullError, isStoreError } from '../database.ts';

/** What an operator has to change, by the error code of PostgreSQL or of TLS. */
const FAULTS: Readonly<Record<string, string>> = {
  '28P01': 'refuses the password: correct it in WAYPOST_DATABASE_URL',
  '28000': 'refuses this user: correct the user in WAYPOST_DATABASE_URL, or allow it in pg_hba.conf',
  '3D000':
    'does not exist: make the database first, with "createdb", or correct its name in WAYPOST_DATABASE_URL',
  '42501':
    'does not allow this user to do what Waypost must do: grant it "connect" on the database, and "create" and "usage" on its schema',
  SELF_SIGNED_CERT_IN_CHAIN:
    'has a certificate that is not trusted here: name its authority with sslrootcert=FILE',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that it signed itself: name it with sslrootcert=FILE',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'has a certificate that is not trusted here: name its authority with sslrootcert=FILE',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'has a certificate for another host: use the name of the certificate in WAYPOST_DATABASE_URL',
};

/** Two transactions cannot both be kept, or wait for each other. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01']);
const DISK_FULL = '53100';
/** Lost connections, too few resources, a server that stops or starts, and one that takes no changes. */
const AWAY = /^(?:08|53|57|58|25006)/;

/** Makes an error of what PostgreSQL said, or did not say: one that tells the operator what to do, where there is something to do. */
export function explainPostgresFault(name: string, error: unknown): unknown {
  if (isStoreError(error) || !(error instanceof Error)) return error;
  const code = readCode(error);
  const mistake = FAULTS[code];
  if (mistake !== undefined) return new StoreFaultError(`${name} ${mistake}`, { cause: error });
  if (CONFLICTS.has(code))
    return new ConflictError(`${name}: another transaction got in the way`, { cause: error });
  if (code === DISK_FULL) return new StoreFullError(`${name}: the disk is full`, { cause: error });
  if (AWAY.test(code) || !isAnswerOfServer(error)) {
    return new StoreAwayError(`${name} is away: ${error.message || code}`, { cause: error });
  }
  return error; // A statement that is wrong: a mistake of ours.
}

/** True if the server itself said it: its codes have five characters. A lost connection has none of them. */
export function isAnswerOfServer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && readCode(error).length === 5;
}
