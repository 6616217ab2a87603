import {
  type AuditAction,
  CONFIRMATION_MS,
  type ConsoleSecondFactor,
  MAX_PASSWORD_CHARS,
  MIN_PASSWORD_CHARS,
} from '../../contract/people.ts';
import { forgetOldest } from '../process/forget-oldest.ts';
import type { AuditLog } from './open-audit-log.ts';
import { type NoteChange, changeAndNote } from './change-and-note.ts';
import { type From, limitGuesses } from './limit-guesses.ts';
import { changePerson, findInvitation, findPerson } from './manage-people.ts';
import { type Passwords, boundWork } from './create-passwords.ts';
import type { FindPasswordFault, PasswordFault } from './password-rules.ts';
import { PeopleError } from './people-error.ts';
import type { PeopleChange, People, PeopleStore, Person } from './open-people-store.ts';
import {
  createRecoveryCodes,
  createSecret,
  describeSecret,
  findStep,
  hashRecoveryCode,
} from './second-factor.ts';
import type { WrongSignIns } from './open-wrong-sign-ins.ts';

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

/** A password with a code of the authenticator app, or with a recovery code. */
export type Credentials = { readonly password: string; readonly code: string };

/** What people do with their own account. */
export type Accounts = {
  /** The person of this name, password and code; undefined if anything is wrong. Throws after too many wrong tries. */
  readonly signIn: (name: string, credentials: Credentials, from: From) => Promise<Person | undefined>;
  /** Whose invitation this is, with what the authenticator app needs. Undefined if it is over. */
  readonly openInvitation: (key: string) => (ConsoleSecondFactor & { readonly name: string }) | undefined;
  readonly acceptInvitation: (key: string, credentials: Credentials, from: From) => Promise<Acceptance>;
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

export type Acceptance =
  | { readonly kind: 'done'; readonly person: Person; readonly codes: readonly string[] }
  | { readonly kind: 'refused'; readonly problem: PasswordFault | 'wrong-code' | 'invitation-over' };

const MAX_KNOWN_PREFIXES = 10;
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
      const check = async (): Promise<Person | undefined> => {
        const isRight = await passwords.verify(credentials.password, person?.signIn?.passwordHash);
        if (person === undefined || !isRight) return undefined;
        const use = { code: credentials.code, from, now: now() };
        const noteUse = note(person, 'recovery-code-used', from);
        const used = await changeAndNote(
          store,
          (people) => useCode(people, person, use),
          (result, outcome) => result === 'recovery-code' && noteUse(result, outcome),
          { whileAway: (people) => useCodeAlone(people, person, use) },
        );
        return used === undefined ? undefined : findPerson(store.read(), person.name);
      };
      return limitGuess({ person, name, from, check });
    },
    openInvitation: (key) => {
      const person = findInvitation(store.read(), key, now());
      if (person?.invitation === undefined) return undefined;
      return { name: person.name, ...describe(person.name, person.invitation.secret) };
    },
    acceptInvitation: async (key, { password, code }, from) => {
      const person = findInvitation(store.read(), key, now());
      if (person?.invitation === undefined) return { kind: 'refused', problem: 'invitation-over' };
      const problem = await judge(password, person.name);
      if (problem !== undefined) return { kind: 'refused', problem };
      const { secret } = person.invitation;
      const step = findStep(code, { secret, lastStep: 0, now: now() });
      if (step === undefined) return { kind: 'refused', problem: 'wrong-code' };
      const passwordHash = await passwords.hash(password);
      const { codes, hashes } = createRecoveryCodes();
      const signIn = {
        passwordHash,
        secret,
        lastStep: step,
        recoveryCodes: hashes,
        prefixes: [from.prefix],
      };
      const noteUse = note(person, 'invitation-used', from);
      const accepted = await changeAndNote(
        store,
        (people): PeopleChange<Person | undefined> => {
          // Somebody may have used the link meanwhile, or an owner may have taken it back.
          const invited = findInvitation(people, key, now());
          if (invited === undefined) return { next: people, result: undefined };
          return replacePerson(people, invited, (each) => ({ ...each, invitation: undefined, signIn }));
        },
        (result, outcome) => result !== undefined && noteUse(result, outcome),
      );
      if (accepted === undefined) return { kind: 'refused', problem: 'invitation-over' };
      return { kind: 'done', person: accepted, codes };
    },
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
        note(person, 'password-changed', from),
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
        note(person, 'second-factor-changed', from),
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
        note(person, 'recovery-codes-made', from),
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

  /** Notes what a person did to the own account. */
  function note({ name }: Person, action: AuditAction, { prefix }: From): NoteChange<unknown> {
    return (_, outcome) => audit.write({ by: name, action, prefix, ...outcome });
  }
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
      prepared.delete(name);
      prepared.set(name, { secret, at: now() });
      forgetOldest(prepared, MAX_PREPARED);
    },
    find: (name) => {
      const found = prepared.get(name);
      return found !== undefined && Math.abs(now() - found.at) < CONFIRMATION_MS ? found.secret : undefined;
    },
    remove: (name) => void prepared.delete(name),
  };
}

/** Uses up a code of the authenticator app, or a recovery code. Each works once, also if several requests use it at the same moment. */
function useCode(
  people: People,
  person: Person,
  { code, from: { prefix }, now }: { readonly code: string; readonly from: From; readonly now: number },
): PeopleChange<'code' | 'recovery-code' | undefined> {
  const signIn = findPerson(people, person.name)?.signIn;
  // The password was compared with another hash.
  const isSame = signIn?.passwordHash === person.signIn?.passwordHash;
  if (signIn === undefined || !isSame) return { next: people, result: undefined };
  const prefixes = [prefix, ...signIn.prefixes.filter((each) => each !== prefix)].slice(
    0,
    MAX_KNOWN_PREFIXES,
  );
  const step = findStep(code, { ...signIn, now });
  if (step !== undefined) return use({ ...signIn, lastStep: step, prefixes }, 'code');
  const hash = hashRecoveryCode(code);
  const recoveryCodes = signIn.recoveryCodes.filter((each) => each !== hash);
  if (recoveryCodes.length === signIn.recoveryCodes.length) return { next: people, result: undefined };
  return use({ ...signIn, recoveryCodes, prefixes }, 'recovery-code');

  function use(changed: Person['signIn'], result: 'code' | 'recovery-code'): PeopleChange<typeof result> {
    return { next: changePerson(people, person.name, (each) => ({ ...each, signIn: changed })), result };
  }
}

/** Another portal may take the same code while the database is away. That is no danger for a code of the app: it ends within a minute. */
function useCodeAlone(...[people, person, use]: Parameters<typeof useCode>): ReturnType<typeof useCode> {
  const used = useCode(people, person, use);
  if (used.result === 'recovery-code') refuse('recovery-code-away');
  return used;
}

function replacePerson(
  people: People,
  { name }: Person,
  change: (person: Person) => Person,
): PeopleChange<Person> {
  let result: Person | undefined;
  const next = changePerson(people, name, (person) => (result = change(person)));
  return { next, result: result ?? refuse('changed-meanwhile') };
}

const REASONS = {
  'wrong-password': 'The current password is wrong.',
  'wrong-code': 'The code is wrong or too old: type the one that the app shows now.',
  'password-too-short': `A password has at least ${MIN_PASSWORD_CHARS} characters.`,
  'password-too-long': `A password has at most ${MAX_PASSWORD_CHARS} characters.`,
  'password-too-easy': 'This password is easy to guess: take four or five words that do not belong together.',
  'recovery-code-away':
    'The database is away: sign in with a code of the authenticator app. Recovery codes work again when it is back.',
  'changed-meanwhile': 'The account was changed at the same moment: try again.',
} as const;

function refuse(code: keyof typeof REASONS): never {
  throw new PeopleError(code, REASONS[code]);
}
