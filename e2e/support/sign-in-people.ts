import { scryptSync } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { pino } from 'pino';
import { CONSOLE_PATHS } from '../../src/contract/paths.ts';
import type { Role } from '../../src/contract/roles.ts';
import { invitePerson } from '../../src/server/people/manage-people.ts';
import { updatePeople } from '../../src/server/people/open-people-store.ts';
import { createSecret } from '../../src/server/people/second-factor.ts';
import { type DatabasePlace, openDatabase } from '../../src/server/store/open-database.ts';

/** The password of every test person. */
export const PASSWORD = 'violet kettle under the seventh bridge';
const SECRET = createSecret();

/**
 * Puts people with a password and a second factor into a database. People who are there already are kept. A running
 * portal knows the new ones after a second.
 */
export async function addPeople(place: DatabasePlace, people: Readonly<Record<string, Role>>): Promise<void> {
  const database = await openDatabase({ ...place, log: pino({ level: 'silent' }) });
  const now = Date.now();
  const signIn = {
    passwordHash: hashCheaply(PASSWORD),
    secret: SECRET,
    lastStep: 0,
    recoveryCodes: [],
    prefixes: [],
  };
  await updatePeople(database, (before) => {
    let next = before;
    for (const [name, role] of Object.entries(people)) {
      if (before.people.some((person) => person.name === name)) continue;
      next = invitePerson(next, { name, role, now }).next;
    }
    const added = next.people.map((person) => ({ ...person, signIn, invitation: undefined }));
    return { next: { ...next, people: added }, result: undefined };
  });
  await database.close();
}

/** A code of everybody's authenticator app. It works once for each of them. */
export function makeCode(): string {
  return new TOTP({ secret: Secret.fromBase32(SECRET) }).generate();
}

/** Signs a person in. Returns the cookie of the session; undefined if the console does not know the person yet. */
export async function signIn(opsUrl: string, name: string): Promise<string | undefined> {
  const answer = await fetch(new URL(CONSOLE_PATHS.login, opsUrl), {
    method: 'POST',
    headers: { Origin: new URL(opsUrl).origin },
    body: new URLSearchParams({ name, password: PASSWORD, code: makeCode() }),
    redirect: 'manual',
  });
  return answer.headers.get('Set-Cookie')?.split(';', 1)[0];
}

/** What Playwright needs to give a page such a cookie. */
export function readCookie(url: string, cookie: string) {
  const [name = '', value = ''] = cookie.split('=');
  return { url, name, value, httpOnly: true, sameSite: 'Strict' } as const;
}

/** A hash of the form that the server stores. It names its cost, so this one takes no time. */
function hashCheaply(password: string): string {
  const salt = Buffer.from('salt');
  const key = scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 });
  return `scrypt$16$8$1$${salt.toString('base64url')}$${key.toString('base64url')}`;
}
