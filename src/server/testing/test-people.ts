import { Secret, TOTP } from 'otpauth';
import { pino } from 'pino';
import type { AuditEntry } from '../../contract/people.ts';
import type { Role } from '../../contract/roles.ts';
import { type Database, StoreAwayError, UncertainCommitError } from '../store/database.ts';
import type { ChangePeople, People, PeopleStore } from '../people/open-people-store.ts';
import { type Accounts, createAccounts } from '../people/create-accounts.ts';
import type { AuditLog } from '../people/open-audit-log.ts';
import { createPasswords } from '../people/create-passwords.ts';
import { invitePerson } from '../people/manage-people.ts';
import { type Sessions, openSessions } from '../people/open-sessions.ts';
import { type WrongSignIns, openWrongSignIns } from '../people/open-wrong-sign-ins.ts';
import { AWAY_DATABASE } from './disturb-database.ts';

export type TestPeople = {
  readonly store: PeopleStore;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly wrongSignIns: WrongSignIns;
  readonly audit: AuditLog;
  readonly entries: AuditEntry[];
  /** Each change is made, but its answer is lost. */
  readonly loseAnswers: () => void;
  /** From now on no change is made, but those that a portal may make alone. */
  readonly goAway: () => void;
  /** From now on the portal does not know who may sign in: it has started while the database was away. */
  readonly forgetAll: () => void;
  /** Adds a person who has accepted an invitation, and returns the key of their authenticator app. */
  readonly add: (name: string, role: Role) => Promise<TestPerson>;
};

export type TestPerson = {
  readonly name: string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
};

export const PASSWORD = 'correct horse battery';

/** The people of a console, by default in memory, with a password hash that costs nothing. */
export function createTestPeople(
  clock: { now: number },
  {
    kept = createMemoryPeopleStore(),
    database = AWAY_DATABASE,
  }: { readonly kept?: PeopleStore; readonly database?: Database | undefined } = {},
): TestPeople {
  let isAnswering = true;
  let isAway = false;
  let isKnown = true;
  const store: PeopleStore = {
    ...kept,
    isKnown: () => isKnown,
    update: async (change, options) => {
      if (isAway && options?.whileAway === undefined) throw new StoreAwayError('the database is away');
      const result = await kept.update((isAway && options?.whileAway) || change, options);
      if (isAnswering) return result;
      throw new UncertainCommitError('the answer is lost');
    },
  };
  const now = () => clock.now;
  const entries: AuditEntry[] = [];
  const audit: AuditLog = {
    write: (entry) => void entries.push({ at: clock.now, id: String(entries.length), ...entry }),
    read: async ({ person, limit }) =>
      entries
        .filter(({ by, to }) => person === undefined || by === person || to === person)
        .toReversed()
        .slice(0, limit),
    readLines: async function* () {
      for (const entry of entries) yield Buffer.from(`${JSON.stringify(entry)}\n`);
    },
    removeOld: async () => undefined,
    writeWaiting: async () => undefined,
    flush: async () => undefined,
  };
  const passwords = createPasswords(async (password, salt) =>
    Buffer.concat([Buffer.from(password), salt, Buffer.alloc(32)]).subarray(0, 32),
  );
  const wrongSignIns = openWrongSignIns(database);
  const accounts = createAccounts({
    store,
    passwords,
    wrongSignIns,
    findPasswordFault: async (password) => (password.length < 12 ? 'password-too-short' : undefined),
    audit,
    siteName: () => 'Polaris',
    now,
  });
  return {
    store,
    accounts,
    sessions: openSessions({ database, now, log: pino({ level: 'silent' }) }),
    wrongSignIns,
    audit,
    entries,
    loseAnswers: () => {
      isAnswering = false;
    },
    goAway: () => {
      isAway = true;
    },
    forgetAll: () => {
      isKnown = false;
    },
    add: async (name, role) => {
      const { key } = await store.update((people) => invitePerson(people, { name, role, now: clock.now }));
      const secret = accounts.openInvitation(key)?.secret ?? '';
      const proof = { password: PASSWORD, code: codeOf(secret, clock.now) };
      const accepted = await accounts.acceptInvitation(key, proof, { prefix: '127.0.0.0/24' });
      if (accepted.kind !== 'done') throw new Error(`not accepted: ${accepted.problem}`);
      entries.length = 0;
      return { name, secret, recoveryCodes: accepted.codes };
    },
  };
}

/** What an authenticator app shows. */
export function codeOf(secret: string, at: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
}

function createMemoryPeopleStore(): PeopleStore {
  let people: People = { people: [], tokens: [] };
  return {
    read: () => people,
    isKnown: () => true,
    update: async <T>(change: ChangePeople<T>) => {
      const { next, result } = change(people);
      people = next;
      return result;
    },
  };
}
