import { CONFIRMATION_MS, type ConsoleSecondFactor } from '../../contract/people.ts';
import { forgetOldest, putLast } from '../process/forget-oldest.ts';
import { type Credentials, noteOf, refuse, replacePerson } from './change-account.ts';
import { type NoteChange, changeAndNote } from './change-and-note.ts';
import { type Invitations, createInvitations } from './create-invitations.ts';
import { type Passwords, boundWork } from './create-passwords.ts';
import { type From, limitGuesses } from './limit-guesses.ts';
import { findPerson } from './manage-people.ts';
import type { AuditLog } from './open-audit-log.ts';
import type { People, PeopleChange, PeopleStore, Person } from './open-people-store.ts';
import type { WrongSignIns } from './open-wrong-sign-ins.ts';
import type { FindPasswordFault, PasswordFault } from './password-rules.ts';
import { createRecoveryCodes, createSecret, describeSecret, findStep } from './second-factor.ts';
import { useCode, useCodeAlone } from './use-code.ts';

export type AccountsDeps = {
  readonly store: PeopleStore;
  readonly passwords: Passwords;
  readonly findPasswordFault: FindPasswordFault;
  readonly audit: Pick<AuditLog, 'write'>;
  readonly wrongSignIns: Pick<WrongSignIns, 'attempt'>;
  /** The brand, as authenticator apps show it. */
  readonly siteName: () => string;
  readonly now: () => number;
};

/** What people do with their own account. */
export type Accounts = Invitations & {
  /** The person of this name, password and code; undefined if anything is wrong. Throws after too many wrong tries. */
  readonly signIn: (name: string, credentials: Credentials, from: From) => Promise<Person | undefined>;
  /** Throws if the old password is wrong, or the new one is not good enough. */
  readonly changePassword: (
    person: Person,
    change: { readonly current: string; readonly next: string },
    from: From,
  ) => Promise<Person>;
  /** Makes a new key for the authenticator app. It counts once a code of it was typed. */
  readonly prepareSecondFactor: (person: Person) => ConsoleSecondFactor;
  readonly replaceSecondFactor: (
    person: Person,
    code: string,
    from: From,
  ) => Promise<{ readonly person: Person; readonly codes: readonly string[] }>;
  readonly replaceRecoveryCodes: (person: Person, from: From) => Promise<readonly string[]>;
};

/** Keys that were shown and not yet proved. */
const MAX_PREPARED = 100;

export function createAccounts(deps: AccountsDeps): Accounts {
  const { store, passwords, audit, siteName, now } = deps;
  const prepared = createPreparedSecrets(now);
  const judgeInTurn = boundWork(1, 5);
  const limitGuess = limitGuesses(deps);
  return {
    signIn: async (name, credentials, from) => {
      const person = findPerson(store.read(), name);
      const check = () => checkCredentials({ person, credentials, from }, deps);
      return limitGuess({ person, name, from, check });
    },
    ...createInvitations({ ...deps, judge, describe }),
    changePassword: async (person, { current, next }, from) => {
      const { name } = person;
      const check = async (): Promise<true | undefined> =>
        (await passwords.verify(current, person.signIn?.passwordHash)) || undefined;
      const isRight = await limitGuess({ person, name, from, check });
      if (isRight === undefined) refuse('wrong-password');
      const fault = await judge(next, person.name);
      if (fault !== undefined) refuse(fault);
      const passwordHash = await passwords.hash(next);
      return changeSignIn(
        person,
        (signIn) => ({ ...signIn, passwordHash }),
        noteOf(person, 'password-changed', from, audit),
      );
    },
    prepareSecondFactor: ({ name }) => {
      const secret = createSecret();
      prepared.put(name, secret);
      return describe(name, secret);
    },
    replaceSecondFactor: async (person, code, from) => {
      const secret = prepared.find(person.name) ?? refuse('wrong-code');
      const step = findStep(code, { secret, lastStep: 0, now: now() }) ?? refuse('wrong-code');
      prepared.remove(person.name);
      const { codes, hashes } = createRecoveryCodes();
      const changed = await changeSignIn(
        person,
        (signIn) => ({ ...signIn, secret, lastStep: step, recoveryCodes: hashes }),
        noteOf(person, 'second-factor-changed', from, audit),
      );
      return { person: changed, codes };
    },
    replaceRecoveryCodes: async (person, from) => {
      const { codes, hashes } = createRecoveryCodes();
      await changeAndNote(
        store,
        (people) =>
          replacePerson(people, person, (each) =>
            each.signIn === undefined ? each : { ...each, signIn: { ...each.signIn, recoveryCodes: hashes } },
          ),
        noteOf(person, 'recovery-codes-made', from, audit),
      );
      return codes;
    },
  };

  function describe(name: string, secret: string): ConsoleSecondFactor {
    return describeSecret(secret, { issuer: siteName(), name });
  }

  function judge(password: string, name: string): Promise<PasswordFault | undefined> {
    return judgeInTurn(() => deps.findPasswordFault(password, [name, siteName()]));
  }

  /** Changes how a person signs in, which ends all sessions. */
  function changeSignIn(
    person: Person,
    change: (signIn: NonNullable<Person['signIn']>) => NonNullable<Person['signIn']>,
    noteIt: NoteChange<Person>,
  ): Promise<Person> {
    const changePeople = (people: People): PeopleChange<Person> =>
      replacePerson(people, person, (each) => {
        if (each.signIn === undefined || each.epoch !== person.epoch) refuse('changed-meanwhile');
        return { ...each, epoch: each.epoch + 1, signIn: change(each.signIn) };
      });
    return changeAndNote(store, changePeople, noteIt);
  }
}

type Claim = {
  readonly person: Person | undefined;
  readonly credentials: Credentials;
  readonly from: From;
};

/** The person, if password and code are right. Uses the code up. */
async function checkCredentials(
  { person, credentials: { password, code }, from }: Claim,
  { store, passwords, audit, now }: Pick<AccountsDeps, 'store' | 'passwords' | 'audit' | 'now'>,
): Promise<Person | undefined> {
  const isRight = await passwords.verify(password, person?.signIn?.passwordHash);
  if (person === undefined || !isRight) return undefined;
  const use = { code, from, now: now() };
  const noteUse = noteOf(person, 'recovery-code-used', from, audit);
  const used = await changeAndNote(
    store,
    (people) => useCode(people, person, use),
    (result, outcome) => result === 'recovery-code' && noteUse(result, outcome),
    { whileAway: (people) => useCodeAlone(people, person, use) },
  );
  return used === undefined ? undefined : findPerson(store.read(), person.name);
}

type PreparedSecrets = {
  readonly put: (name: string, secret: string) => void;
  /** The key that was last shown to this person. Undefined if that is too long ago. */
  readonly find: (name: string) => string | undefined;
  readonly remove: (name: string) => void;
};

/** Remembers the keys for authenticator apps of which no code was typed yet. */
function createPreparedSecrets(now: () => number): PreparedSecrets {
  const prepared = new Map<string, { readonly secret: string; readonly at: number }>();
  return {
    put: (name, secret) => {
      putLast(prepared, name, { secret, at: now() });
      forgetOldest(prepared, MAX_PREPARED);
    },
    find: (name) => {
      const found = prepared.get(name);
      return found !== undefined && Math.abs(now() - found.at) < CONFIRMATION_MS ? found.secret : undefined;
    },
    remove: (name) => void prepared.delete(name),
  };
}
