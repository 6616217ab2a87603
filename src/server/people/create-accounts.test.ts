import { beforeEach, describe, expect, test } from 'vitest';
import { UncertainCommitError } from '../store/database.ts';
import {
  PASSWORD,
  type TestPeople,
  type TestPerson,
  codeOf,
  createTestPeople,
} from '../testing/test-people.ts';
import {
  changeRole,
  endSessionsOf,
  findPerson,
  findStanding,
  hasAccounts,
  invitePerson,
  makeToken,
  removePerson,
  resetPerson,
  revokeToken,
} from './manage-people.ts';

const HOME = { prefix: '127.0.0.0/24' };
const ELSEWHERE = { prefix: '198.51.100.0/24' };

let clock: { now: number };
let people: TestPeople;
let mei: TestPerson;

beforeEach(async () => {
  clock = { now: 1_800_000_000_000 };
  people = createTestPeople(clock);
  mei = await people.add('mei', 'owner');
});

const nextCode = () => {
  clock.now += 30_000;
  return codeOf(mei.secret, clock.now);
};
const signIn = (proof: { name?: string; password?: string; code?: string } = {}, from = HOME) => {
  const { name = 'mei', password = PASSWORD, code = nextCode() } = proof;
  return people.accounts.signIn(name, { password, code }, from);
};

describe('signing in', () => {
  test('needs the name, the password and a code, all of them', async () => {
    expect((await signIn())?.name).toBe('mei');
    expect((await signIn({ name: 'MEI' }))?.name).toBe('mei');
    expect(await signIn({ name: 'li.wei' })).toBeUndefined();
    expect(await signIn({ password: 'wrong horse battery' })).toBeUndefined();
    expect(await signIn({ code: '000000' })).toBeUndefined();
    expect(await signIn({ password: '', code: '' })).toBeUndefined();
  });

  test('takes a code once, even if it is sent twice at the same moment', async () => {
    const code = nextCode();
    const both = await Promise.all([signIn({ code }), signIn({ code })]);
    expect(both.filter((person) => person !== undefined)).toHaveLength(1);
  });

  test('takes each recovery code once', async () => {
    const [code = ''] = mei.recoveryCodes;
    const both = await Promise.all([signIn({ code }), signIn({ code })]);
    expect(both.filter((person) => person !== undefined)).toHaveLength(1);
    expect(people.entries).toMatchObject([{ by: 'mei', action: 'recovery-code-used' }]);
    expect((await signIn({ code: mei.recoveryCodes[1] ?? '' }))?.name).toBe('mei');
    expect(findPerson(people.store.read(), 'mei')?.signIn?.recoveryCodes).toHaveLength(8);
  });

  test('is refused for a while after ten wrong tries at one account, from wherever they come', async () => {
    for (let prefix = 0; prefix < 10; prefix += 1) {
      const from = { prefix: `10.0.${prefix}.0/24` };
      expect(await signIn({ password: 'a wrong password', code: '000000' }, from)).toBeUndefined();
    }
    await expect(signIn({}, ELSEWHERE)).rejects.toMatchObject({ code: 'too-many-tries' });
    clock.now += 300_000;
    expect((await signIn({}, ELSEWHERE))?.name).toBe('mei');
  });

  test('counts the tries at a name together, however its letters are encoded', async () => {
    await people.add('José', 'viewer');
    const guess = (name: string) => signIn({ name, code: '000000' }, ELSEWHERE);
    for (let count = 0; count < 10; count += 1) await guess('José'.normalize('NFC'));
    await expect(guess('José'.normalize('NFD'))).rejects.toMatchObject({ code: 'too-many-tries' });
  });

  test('goes on from an address range that the person has used, while others guess elsewhere', async () => {
    for (let count = 0; count < 10; count += 1) await signIn({ code: '000000' }, ELSEWHERE);
    await expect(signIn({}, ELSEWHERE)).rejects.toMatchObject({ code: 'too-many-tries' });
    expect((await signIn({}, HOME))?.name).toBe('mei');
    for (let count = 0; count < 10; count += 1) await signIn({ code: '000000' }, HOME);
    await expect(signIn({}, HOME)).rejects.toMatchObject({ code: 'too-many-tries' });
  });

  test('counts tries over a day, too: a thief of the password cannot guess codes for months', async () => {
    let wrong = 0;
    for (let window = 0; window < 20; window += 1) {
      for (let count = 0; count < 10; count += 1) {
        await signIn({ code: '000000' }, ELSEWHERE).then(
          () => (wrong += 1),
          () => undefined,
        );
      }
      clock.now += 300_000;
    }
    expect(wrong).toBe(50);
  });

  test('costs no try while people cannot be kept, and wrong passwords still do', async () => {
    const { store } = people;
    const refusal = new UncertainCommitError('');
    const { accounts } = createTestPeople(clock, {
      kept: { ...store, update: () => Promise.reject(refusal) },
    });
    const guess = (password: string) => accounts.signIn('mei', { password, code: '000000' }, ELSEWHERE);
    for (let count = 0; count < 20; count += 1) await expect(guess(PASSWORD)).rejects.toBe(refusal);
    for (let count = 0; count < 10; count += 1) expect(await guess('a wrong password')).toBeUndefined();
    await expect(guess('a wrong password')).rejects.toMatchObject({ code: 'too-many-tries' });
  });

  test('answers a name that nobody has as it answers a wrong password', async () => {
    for (const name of ['mei', 'nobody']) {
      for (let count = 0; count < 10; count += 1) {
        expect(
          await signIn({ name, password: 'a wrong password', code: '000000' }, ELSEWHERE),
        ).toBeUndefined();
      }
      await expect(
        signIn({ name, password: 'a wrong password', code: '000000' }, ELSEWHERE),
      ).rejects.toMatchObject({
        code: 'too-many-tries',
      });
    }
  });

  test('does not count tries that were right', async () => {
    for (let count = 0; count < 60; count += 1) expect((await signIn())?.name).toBe('mei');
  });
});

describe('an invitation', () => {
  const invite = (name: string) =>
    people.store.update((before) => invitePerson(before, { name, role: 'editor', now: clock.now }));
  const accept = (key: string, password = PASSWORD) => {
    const secret = people.accounts.openInvitation(key)?.secret ?? '';
    return people.accounts.acceptInvitation(
      key,
      { password, code: secret && codeOf(secret, clock.now) },
      HOME,
    );
  };

  test('works once, even if it is used twice at the same moment', async () => {
    const { key } = await invite('li.wei');
    const both = await Promise.all([accept(key), accept(key)]);
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['done', 'refused']);
    expect(await accept(key)).toEqual({ kind: 'refused', problem: 'invitation-over' });
    expect(people.accounts.openInvitation(key)).toBeUndefined();
  });

  test('works for 24 hours', async () => {
    const { key } = await invite('li.wei');
    clock.now += 86_399_999;
    expect(people.accounts.openInvitation(key)?.name).toBe('li.wei');
    clock.now += 1;
    expect(people.accounts.openInvitation(key)).toBeUndefined();
    expect(await accept(key)).toEqual({ kind: 'refused', problem: 'invitation-over' });
  });

  test('is not used up by a password that is too short or a wrong code', async () => {
    const { key } = await invite('li.wei');
    expect(await accept(key, 'short')).toEqual({ kind: 'refused', problem: 'password-too-short' });
    const proof = { password: PASSWORD, code: '000000' };
    expect(await people.accounts.acceptInvitation(key, proof, HOME)).toEqual({
      kind: 'refused',
      problem: 'wrong-code',
    });
    expect((await accept(key)).kind).toBe('done');
  });

  test('is nowhere in the file, nor is the password or a recovery code', async () => {
    const { key } = await invite('li.wei');
    const pending = JSON.stringify(people.store.read());
    expect(pending).not.toContain(key);
    const accepted = await accept(key);
    const kept = JSON.stringify(people.store.read());
    const [code = ''] = accepted.kind === 'done' ? accepted.codes : [];
    expect(code).not.toBe('');
    for (const secret of [key, PASSWORD, code, code.replaceAll('-', '')]) expect(kept).not.toContain(secret);
  });

  test('lets nobody sign in before it was used', async () => {
    await invite('li.wei');
    expect(await signIn({ name: 'li.wei', password: '', code: '' })).toBeUndefined();
  });
});

describe('a change of one’s own account', () => {
  const own = () => findPerson(people.store.read(), 'mei') ?? expect.fail('mei is there');

  test('a password needs the current one, and its tries are limited like those of signing in', async () => {
    const change = (current: string, next = 'another horse battery') =>
      people.accounts.changePassword(own(), { current, next }, HOME);
    await expect(change('wrong')).rejects.toMatchObject({ code: 'wrong-password' });
    await expect(change(PASSWORD, 'short')).rejects.toMatchObject({ code: 'password-too-short' });
    const { epoch } = own();
    expect((await change(PASSWORD)).epoch).toBe(epoch + 1);
    expect(await signIn()).toBeUndefined();
    expect((await signIn({ password: 'another horse battery' }))?.name).toBe('mei');
    for (let count = 0; count < 10; count += 1) await change('wrong').catch(() => undefined);
    await expect(change('another horse battery')).rejects.toMatchObject({ code: 'too-many-tries' });
  });

  test('a second factor is replaced by a code of the new one, with new recovery codes', async () => {
    const { secret } = people.accounts.prepareSecondFactor(own());
    expect((await signIn())?.name).toBe('mei');
    await expect(people.accounts.replaceSecondFactor(own(), '000000', HOME)).rejects.toMatchObject({
      code: 'wrong-code',
    });
    const { codes } = await people.accounts.replaceSecondFactor(own(), codeOf(secret, clock.now), HOME);
    expect(await signIn()).toBeUndefined();
    expect(await signIn({ code: mei.recoveryCodes[0] ?? '' })).toBeUndefined();
    expect((await signIn({ code: codes[0] ?? '' }))?.name).toBe('mei');
    clock.now += 30_000;
    expect((await signIn({ code: codeOf(secret, clock.now) }))?.name).toBe('mei');
  });

  test('a key that was shown counts for ten minutes', async () => {
    const { secret } = people.accounts.prepareSecondFactor(own());
    clock.now += 600_000;
    const late = people.accounts.replaceSecondFactor(own(), codeOf(secret, clock.now), HOME);
    await expect(late).rejects.toMatchObject({ code: 'wrong-code' });
  });

  test('of which nobody knows whether it was made is in the audit log as such', async () => {
    const { key } = await people.store.update((all) =>
      invitePerson(all, { name: 'li.wei', role: 'editor', now: clock.now }),
    );
    const { secret = '' } = people.accounts.openInvitation(key) ?? {};
    people.loseAnswers();
    const proof = { password: PASSWORD, code: codeOf(secret, clock.now) };
    const change = { current: PASSWORD, next: 'another horse battery' };
    const lost = { code: 'store-uncertain' };
    await expect(people.accounts.acceptInvitation(key, proof, HOME)).rejects.toMatchObject(lost);
    await expect(signIn({ code: mei.recoveryCodes[0] ?? '' })).rejects.toMatchObject(lost);
    await expect(signIn()).rejects.toMatchObject(lost);
    await expect(people.accounts.replaceRecoveryCodes(own(), HOME)).rejects.toMatchObject(lost);
    await expect(people.accounts.changePassword(own(), change, HOME)).rejects.toMatchObject(lost);
    const all = { isUncertain: true, prefix: HOME.prefix };
    expect(people.entries).toMatchObject([
      { ...all, by: 'li.wei', action: 'invitation-used' },
      { ...all, by: 'mei', action: 'recovery-code-used' },
      { ...all, by: 'mei', action: 'recovery-codes-made' },
      { ...all, by: 'mei', action: 'password-changed' },
    ]);
  });

  test('a reset meanwhile wins', async () => {
    const before = own();
    await people.store.update((all) => resetPerson(all, 'mei', clock.now));
    const change = people.accounts.changePassword(
      before,
      { current: PASSWORD, next: 'another horse battery' },
      HOME,
    );
    await expect(change).rejects.toMatchObject({ code: 'changed-meanwhile' });
    expect(own().signIn).toBeUndefined();
  });
});

describe('managing people', () => {
  test('one owner who can sign in always stays', async () => {
    const read = people.store.read;
    expect(() => removePerson(read(), 'mei')).toThrow('"mei" is the last owner');
    expect(() => changeRole(read(), 'mei', 'editor')).toThrow('"mei" is the last owner');
    // Somebody who was invited, but never came, is no owner yet.
    await people.store.update((all) => invitePerson(all, { name: 'li.wei', role: 'owner', now: clock.now }));
    expect(() => removePerson(read(), 'mei')).toThrow('"mei" is the last owner');
    await people.add('chen', 'owner');
    expect(removePerson(read(), 'mei').people.map(({ name }) => name)).toEqual(['li.wei', 'chen']);
  });

  test('a person who is removed, reset, or no longer an owner leaves no token behind, nor one that was made with it', async () => {
    await people.add('chen', 'owner');
    const token = { role: 'owner', days: 1, now: clock.now } as const;
    const make = (name: string, madeBy: string) =>
      people.store.update((all) => makeToken(all, { ...token, name, madeBy }));
    await make('grafana', 'chen');
    await make('backup', 'mei');
    await make('back door', 'grafana');
    const left = ({ tokens }: ReturnType<typeof removePerson>) => tokens.map(({ name }) => name);
    expect(left(removePerson(people.store.read(), 'Chen'))).toEqual(['backup']);
    expect(left(resetPerson(people.store.read(), 'Chen', clock.now).next)).toEqual(['backup']);
    expect(left(changeRole(people.store.read(), 'chen', 'editor'))).toEqual(['backup']);
    expect(left(changeRole(people.store.read(), 'chen', 'owner'))).toHaveLength(3);
    const { id = '' } = people.store.read().tokens.find(({ name }) => name === 'grafana') ?? {};
    expect(left(revokeToken(people.store.read(), id).next)).toEqual(['backup']);
  });

  test('a name has the role of its person or its token, for as long as there is one', async () => {
    const roleOf = (name: string) => findStanding(people.store.read(), name, clock.now)?.role;
    await people.add('chen', 'editor');
    const token = { name: 'ci', role: 'editor', days: 1, now: clock.now, madeBy: 'mei' } as const;
    await people.store.update((all) => makeToken(all, token));
    expect(['mei', 'chen', 'ci', 'WAYPOST_OPS_TOKEN', 'li.wei'].map(roleOf)).toEqual([
      'owner',
      'editor',
      'editor',
      'owner',
      undefined,
    ]);
    await people.store.update((all) => ({ next: removePerson(all, 'chen'), result: undefined }));
    clock.now += 86_400_000;
    expect(['chen', 'ci'].map(roleOf)).toEqual([undefined, undefined]);
  });

  test('a name has another epoch after all that ends sessions, and with another token', async () => {
    const token = { name: 'ci', role: 'editor', days: 1, now: clock.now, madeBy: 'mei' } as const;
    await people.store.update((all) => makeToken(all, token));
    const before = people.store.read();
    const epochOf = (all: typeof before, name: string) => findStanding(all, name, clock.now)?.epoch;
    const { id = '' } = before.tokens.find(({ name }) => name === 'ci') ?? {};
    for (const [name, after] of [
      ['mei', resetPerson(before, 'mei', clock.now).next],
      ['mei', endSessionsOf(before, 'mei')],
      ['ci', makeToken(revokeToken(before, id).next, token).next],
    ] as const) {
      expect(epochOf(after, name)).toEqual(expect.any(String));
      expect(epochOf(after, name)).not.toBe(epochOf(before, name));
    }
  });

  test.each(['Mei', 'grafana', 'WAYPOST_OPS_TOKEN', 'loopback', 'Command Line', 'unknown name'])(
    'nobody else, and no token, is named %s: the audit log has nothing but names',
    async (name) => {
      const token = { role: 'viewer', days: 1, now: clock.now, madeBy: 'mei' } as const;
      await people.store.update((all) => makeToken(all, { ...token, name: 'grafana' }));
      const all = people.store.read();
      expect(() => invitePerson(all, { name, role: 'viewer', now: clock.now })).toThrow('There is already');
      expect(() => makeToken(all, { ...token, name })).toThrow('There is already');
    },
  );

  test('a reset takes password and second factor away at once', async () => {
    await people.store.update((all) => resetPerson(all, 'mei', clock.now));
    expect(await signIn()).toBeUndefined();
    expect(hasAccounts(people.store.read())).toBe(false);
  });
});
