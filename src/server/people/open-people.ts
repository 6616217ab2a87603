import type { Logger } from 'pino';
import { DAY_MS } from '../../contract/limits.ts';
import { repeat, stopAll } from '../process/repeat.ts';
import type { Redis } from '../redis/open-redis.ts';
import type { Database } from '../store/database.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { type AuditLog, openAuditLog } from './audit-log.ts';
import { createPasswords } from './password.ts';
import { findPasswordFault } from './password-rules.ts';
import { type PeopleStore, openPeopleStore } from './people-store.ts';
import { sharePeople } from './share-people.ts';

export type OpenPeopleOptions = {
  readonly dataDir: string;
  readonly database: Database;
  /** Where replicas share people. Undefined for a portal that runs alone. */
  readonly shared: { readonly redis: Redis; readonly prefix: string } | undefined;
  /** The brand, as authenticator apps show it. */
  readonly siteName: () => string;
  readonly log: Logger;
  readonly now: () => number;
};

/** The accounts of the console, and what was done with them. */
export type OpenedPeople = {
  readonly store: PeopleStore;
  readonly accounts: Accounts;
  readonly audit: AuditLog;
  /** Follows what others change and do, and removes what is too old. Returns what ends it. */
  readonly start: () => () => void;
};

/** What "waypost operator" changes counts after this long. */
const FOLLOW_EVERY_MS = 1_000;
/** How often entries are tried again that could not be written. */
const WRITE_AGAIN_EVERY_MS = 5_000;
const REMOVE_EVERY_MS = DAY_MS;

/** Opens the accounts of the console: alone, or together with other replicas. */
export async function openPeople(options: OpenPeopleOptions): Promise<OpenedPeople> {
  const { dataDir, database, shared, siteName, log, now } = options;
  const audit = openAuditLog({ database, now, log });
  const own = await openPeopleStore(dataDir);
  const store = shared ? await sharePeople({ own, ...shared, dataDir, log }) : own;
  // Before anybody asks: a portal that is new must know that there are accounts, and that everybody signs in.
  if (shared) await store.refresh();
  const passwords = createPasswords();
  const accounts = createAccounts({ store, passwords, findPasswordFault, audit, siteName, now });
  let isFileGood = true;
  return {
    store,
    accounts,
    audit,
    start: () =>
      stopAll(
        repeat(followFile, () => FOLLOW_EVERY_MS, { name: 'people: follow the file', log, firstPauseMs: 0 }),
        repeat(audit.writeWaiting, () => WRITE_AGAIN_EVERY_MS, { name: 'audit log: write what waits', log }),
        repeat(audit.removeOld, () => REMOVE_EVERY_MS, {
          name: 'audit log: remove old entries',
          log,
          firstPauseMs: 0,
        }),
      ),
  };

  /** Takes over what `waypost operator` has changed. A file that cannot be read changes nothing. */
  async function followFile(): Promise<void> {
    try {
      await store.refresh();
      isFileGood = true;
    } catch (error) {
      // Once, and not each second.
      if (isFileGood) log.error({ err: error }, 'the people of the console could not be read');
      isFileGood = false;
    }
  }
}
