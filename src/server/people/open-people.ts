import type { Logger } from 'pino';
import { DAY_MS, MINUTE_MS } from '../../contract/time-units.ts';
import { repeat, stopAll } from '../process/repeat.ts';
import type { Service } from '../process/run-services.ts';
import type { Database } from '../store/database.ts';
import type { LastGood } from '../store/open-last-good.ts';
import { type Accounts, createAccounts } from './create-accounts.ts';
import { type AuditLog, openAuditLog } from './open-audit-log.ts';
import { createPasswords } from './create-passwords.ts';
import { findPasswordFault } from './password-rules.ts';
import { type PeopleStore, openPeopleStore } from './open-people-store.ts';
import { type Sessions, openSessions } from './open-sessions.ts';
import { type WrongSignIns, openWrongSignIns } from './open-wrong-sign-ins.ts';

export type OpenPeopleOptions = {
  readonly database: Database;
  readonly lastGood: LastGood;
  /** The brand, as authenticator apps show it. */
  readonly siteName: () => string;
  readonly log: Logger;
  readonly now: () => number;
};

/** The accounts of the console, and what was done with them. */
export type OpenedPeople = Service & {
  readonly store: PeopleStore;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly wrongSignIns: Pick<WrongSignIns, 'attempt'>;
  readonly audit: AuditLog;
};

/** How often what could not be written is tried again. */
const WRITE_AGAIN_EVERY_MS = 5_000;
const TIDY_EVERY_MS = MINUTE_MS;
const REMOVE_EVERY_MS = DAY_MS;

/** Opens the accounts of the console, before anybody asks: a portal must know that there are accounts, and that everybody signs in. */
export async function openPeople(options: OpenPeopleOptions): Promise<OpenedPeople> {
  const { database, lastGood, siteName, log, now } = options;
  const audit = openAuditLog({ database, now, log });
  const store = await openPeopleStore({ database, lastGood, log });
  const sessions = openSessions({ database, now, log });
  const wrongSignIns = openWrongSignIns(database);
  const passwords = createPasswords();
  const accounts = createAccounts({
    store,
    passwords,
    findPasswordFault,
    audit,
    wrongSignIns,
    siteName,
    now,
  });
  return {
    store,
    accounts,
    sessions,
    wrongSignIns,
    audit,
    start: () =>
      stopAll(
        store.follow(),
        sessions.follow(),
        repeat(store.writeWaiting, () => WRITE_AGAIN_EVERY_MS, { name: 'people: write what waits', log }),
        repeat(sessions.writeWaiting, () => WRITE_AGAIN_EVERY_MS, {
          name: 'sessions: write what waits',
          log,
        }),
        repeat(wrongSignIns.removeOld, () => TIDY_EVERY_MS, { name: 'wrong sign-ins: remove', log }),
        repeat(sessions.writeSeen, () => TIDY_EVERY_MS, { name: 'sessions: write what was used', log }),
        repeat(audit.writeWaiting, () => WRITE_AGAIN_EVERY_MS, { name: 'audit log: write what waits', log }),
        repeat(audit.removeOld, () => REMOVE_EVERY_MS, {
          name: 'audit log: remove old entries',
          log,
          firstPauseMs: 0,
        }),
      ),
    close: async () => {
      // First, because it logs the entries that it cannot write.
      await audit.flush();
      await store.writeWaiting();
      await sessions.writeWaiting();
      await sessions.writeSeen();
    },
  };
}
