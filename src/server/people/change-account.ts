import { type AuditAction, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from '../../contract/people.ts';
import type { NoteChange } from './change-and-note.ts';
import type { From } from './limit-guesses.ts';
import { changePerson } from './manage-people.ts';
import type { AuditLog } from './open-audit-log.ts';
import type { People, PeopleChange, Person } from './open-people-store.ts';
import { PeopleError } from './people-error.ts';

// What all changes of a person's own account have in common.

/** A password with a code of the authenticator app, or with a recovery code. */
export type Credentials = { readonly password: string; readonly code: string };

/** Changes a person. Throws if the person is gone meanwhile. */
export function replacePerson(
  people: People,
  { name }: Person,
  change: (person: Person) => Person,
): PeopleChange<Person> {
  let result: Person | undefined;
  const next = changePerson(people, name, (person) => (result = change(person)));
  return { next, result: result ?? refuse('changed-meanwhile') };
}

/** Notes in the audit log what a person did to the own account. */
export function noteOf(
  { name }: Person,
  action: AuditAction,
  { prefix }: From,
  audit: Pick<AuditLog, 'write'>,
): NoteChange<unknown> {
  return (_, outcome) => audit.write({ by: name, action, prefix, ...outcome });
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

export function refuse(code: keyof typeof REASONS): never {
  throw new PeopleError(code, REASONS[code]);
}
