import { refuse } from './change-account.ts';
import type { From } from './limit-guesses.ts';
import { changePerson, findPerson } from './manage-people.ts';
import type { People, PeopleChange, Person } from './open-people-store.ts';
import { findStep, hashRecoveryCode } from './second-factor.ts';

const MAX_KNOWN_PREFIXES = 10;

/** Uses up a code of the authenticator app, or a recovery code. Each works once, also if several requests use it at the same moment. */
export function useCode(
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
export function useCodeAlone(
  ...[people, person, use]: Parameters<typeof useCode>
): ReturnType<typeof useCode> {
  const used = useCode(people, person, use);
  if (used.result === 'recovery-code') refuse('recovery-code-away');
  return used;
}
