import { Secret } from 'otpauth';
import { expect, test } from 'vitest';
import { codeOf } from '../testing/test-people.ts';
import {
  createRecoveryCodes,
  createSecret,
  describeSecret,
  findStep,
  hashRecoveryCode,
} from './second-factor.ts';

/** Of RFC 6238, appendix B. */
const RFC_SECRET = Secret.fromUTF8('12345678901234567890').base32;

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at %i s is that of RFC 6238', (seconds, code) => {
  const step = Math.floor(seconds / 30);
  expect(findStep(code, { secret: RFC_SECRET, lastStep: 0, now: seconds * 1_000 })).toBe(step);
});

test('a code counts one step of 30 s early or late, and no more', () => {
  const secret = createSecret();
  const now = 1_800_000_000_000;
  const accepted = [-60_000, -30_000, 0, 30_000, 60_000].map(
    (offMs) => findStep(codeOf(secret, now + offMs), { secret, lastStep: 0, now }) !== undefined,
  );
  expect(accepted).toEqual([false, true, true, true, false]);
});

test('a code that was used is worth nothing, and so are earlier ones', () => {
  const secret = createSecret();
  const now = 1_800_000_000_000;
  const step = now / 30_000;
  const stepOf = (at: number, lastStep: number) => findStep(codeOf(secret, at), { secret, lastStep, now });
  expect(stepOf(now, step)).toBeUndefined();
  expect(stepOf(now - 30_000, step)).toBeUndefined();
  expect(stepOf(now + 30_000, step)).toBe(step + 1);
});

test.each(['', '12345', '1234567', '１２３４５６', 'abcdef', '12345a'])('"%s" is no code', (code) => {
  expect(findStep(code, { secret: RFC_SECRET, lastStep: 0, now: 59_000 })).toBeUndefined();
});

test('a code may be typed with a space in the middle, as apps show it', () => {
  expect(findStep('287 082', { secret: RFC_SECRET, lastStep: 0, now: 59_000 })).toBe(1);
});

test('an app gets a key of 160 bits, with the brand and the name', () => {
  const secret = createSecret();
  expect(Secret.fromBase32(secret).bytes).toHaveLength(20);
  const { uri, qr } = describeSecret(secret, { issuer: '北辰 Polaris', name: 'li.wei' });
  expect(uri).toBe(
    `otpauth://totp/li.wei?issuer=${encodeURIComponent('北辰 Polaris')}&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
  expect(qr).toMatch(/^<svg [^]*<\/svg>$/);
});

test('ten recovery codes have 120 random bits each, and are recognised however they are typed', () => {
  const { codes, hashes } = createRecoveryCodes();
  expect(codes).toHaveLength(10);
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^(?:[A-Z2-7]{6}-){3}[A-Z2-7]{6}$/);
  expect(hashRecoveryCode(` ${codes[0]?.toLowerCase().replaceAll('-', ' ')}`)).toBe(hashes[0]);
  expect(hashes.join()).not.toContain(codes[0]?.replaceAll('-', ''));
});
