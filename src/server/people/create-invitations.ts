import type { ConsoleSecondFactor } from '../../contract/people.ts';
import { type Credentials, noteOf, replacePerson } from './change-account.ts';
import { changeAndNote } from './change-and-note.ts';
import type { Passwords } from './create-passwords.ts';
import type { From } from './limit-guesses.ts';
import { findInvitation } from './manage-people.ts';
import type { AuditLog } from './open-audit-log.ts';
import type { PeopleChange, PeopleStore, Person } from './open-people-store.ts';
import type { PasswordFault } from './password-rules.ts';
import { createRecoveryCodes, findStep } from './second-factor.ts';

/** The links with which people set up their accounts. */
export type Invitations = {
  /** Whose invitation this is, with what the authenticator app needs. Undefined if it is over. */
  readonly openInvitation: (key: string) => (ConsoleSecondFactor & { readonly name: string }) | undefined;
  readonly acceptInvitation: (key: string, credentials: Credentials, from: From) => Promise<Acceptance>;
};

export type Acceptance =
  | { readonly kind: 'done'; readonly person: Person; readonly codes: readonly string[] }
  | { readonly kind: 'refused'; readonly problem: PasswordFault | 'wrong-code' | 'invitation-over' };

export type InvitationsDeps = {
  readonly store: PeopleStore;
  readonly passwords: Passwords;
  readonly audit: Pick<AuditLog, 'write'>;
  /** What is wrong with a password of this person. */
  readonly judge: (password: string, name: string) => Promise<PasswordFault | undefined>;
  /** What the authenticator app of this person needs. */
  readonly describe: (name: string, secret: string) => ConsoleSecondFactor;
  readonly now: () => number;
};

export function createInvitations(deps: InvitationsDeps): Invitations {
  const { store, passwords, audit, judge, describe, now } = deps;
  return {
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
      const noteUse = noteOf(person, 'invitation-used', from, audit);
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
  };
}
