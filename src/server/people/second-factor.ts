import { hash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import encodeQr from 'qr';
import { type ConsoleSecondFactor, RECOVERY_CODE_COUNT } from '../../contract/people.ts';

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const STEP_SECONDS = 30;
/** The clock of a phone may be wrong by one step. */
const WINDOW_STEPS = 1;
/** 120 bits. From 112 bits on, a plain hash is enough (ASVS 6.5.2). */
const RECOVERY_CODE_BYTES = 15;

/** Makes the key of an authenticator app, in base32. */
export function createSecret(): string {
  return new Secret({ buffer: Uint8Array.from(randomBytes(SECRET_BYTES)).buffer }).base32;
}

/** What an authenticator app needs to know. `issuer` and `name` are what the app shows. */
export function describeSecret(
  secret: string,
  { issuer, name }: { issuer: string; name: string },
): ConsoleSecondFactor {
  const uri = createTotp(secret, { issuer, label: name }).toString();
  // Nothing covers a code on a screen. So it needs little error correction, and its squares can be larger.
  return { secret, uri, qr: encodeQr(uri, 'svg', { border: 4, ecc: 'low' }) };
}

/** The time step of a code. Undefined if the code is wrong, or not newer than the last one that was used. */
export function findStep(
  code: string,
  { secret, lastStep, now }: { secret: string; lastStep: number; now: number },
): number | undefined {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = createTotp(secret).validate({ token, timestamp: now, window: WINDOW_STEPS });
  if (delta === null) return undefined;
  const step = Math.floor(now / 1_000 / STEP_SECONDS) + delta;
  return step > lastStep ? step : undefined;
}

/** Makes recovery codes, and the hashes that the server keeps of them. */
export function createRecoveryCodes(): { readonly codes: readonly string[]; readonly hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const text = new Secret({ buffer: Uint8Array.from(randomBytes(RECOVERY_CODE_BYTES)).buffer }).base32;
    return (text.match(/.{6}/g) ?? []).join('-');
  });
  return { codes, hashes: codes.map(hashRecoveryCode) };
}

/** The hash of a recovery code, however it was typed. */
export function hashRecoveryCode(code: string): string {
  return hashKey(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''));
}

/** The hash of a random key that is too long to be guessed: of a token, an invitation, a recovery code. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'base64url');
}

function createTotp(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({
    ...names,
    issuerInLabel: false,
    secret: Secret.fromBase32(secret),
    digits: 6,
    period: STEP_SECONDS,
  });
}
