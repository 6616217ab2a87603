import { expect, test } from 'vitest';
import { boundWork, createPasswords } from './create-passwords.ts';
import { findPasswordFault } from './password-rules.ts';

test('a password is hashed with scrypt, as strongly as ASVS asks for, and with a salt of its own', async () => {
  const { hash, verify } = createPasswords();
  const [one, other] = await Promise.all([hash('correct horse battery'), hash('correct horse battery')]);
  const [, N, r, p, salt] = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$[\w-]{43}$/.exec(one) ?? [];
  expect([Number(N), Number(r), Number(p)]).toEqual([32_768, 8, 3]);
  expect(Buffer.from(salt ?? '', 'base64url')).toHaveLength(16);
  expect(one).not.toBe(other);
  expect(await verify('correct horse battery', one)).toBe(true);
  expect(await verify('Correct horse battery', one)).toBe(false);
});

test('a person who is not there takes the same work, and no password is right', async () => {
  let derived = 0;
  const { verify } = createPasswords(async () => {
    derived += 1;
    return Buffer.alloc(32);
  });
  expect(await verify('anything', undefined)).toBe(false);
  expect(await verify('anything', 'not a hash')).toBe(false);
  expect(derived).toBe(2);
});

test('at most two hashes are made at once, twenty wait, and the rest is refused', async () => {
  const endings: (() => void)[] = [];
  let [running, most] = [0, 0];
  const runInTurn = boundWork(2, 20);
  const job = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => endings.push(resolve));
    running -= 1;
  };
  const jobs = Array.from({ length: 25 }, () => runInTurn(job));
  const settled = Promise.allSettled(jobs);
  for (let ended = 0; ended < 22; ended += 1) {
    await expect.poll(() => endings.length).toBeGreaterThan(ended);
    endings[ended]?.();
  }
  const refused = (await settled).filter(({ status }) => status === 'rejected');
  expect([refused.length, most]).toEqual([3, 2]);
  expect(refused[0]).toMatchObject({ reason: { code: 'too-many-sign-ins' } });
});

test.each([
  ['short', 'k2J-pq9!vv1', 'password-too-short'],
  ['of eleven characters that take more bytes', '密码密码密码密码密码密', 'password-too-short'],
  ['longer than 128', 'ab'.repeat(65), 'password-too-long'],
  ['common', 'password12345', 'password-too-easy'],
  ['a walk over the keyboard', '1q2w3e4r5t6y', 'password-too-easy'],
  ['the product’s name', 'Waypost2026!!', 'password-too-easy'],
  ['the brand and the person’s name', 'PolarisMei2026', 'password-too-easy'],
  ['repeated', 'aaaaaaaaaaaaaaaa', 'password-too-easy'],
  ['a sentence of words', 'correct horse battery', undefined],
  ['Chinese', '我的口令很长很长不好猜啊啊', undefined],
  ['made by a password manager', 'vT9#mQ2$xL7!', undefined],
  ['of 128 characters', 'correct horse battery staple '.repeat(5).slice(0, 128), undefined],
])('a password that is %s: %s', async (_what, password, fault) => {
  expect(await findPasswordFault(password, ['Polaris', 'Mei'])).toBe(fault);
});
