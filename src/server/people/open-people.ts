import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Redis } from '../redis/open-redis.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { openAuditFiles } from './audit-files.ts';
import { type AuditLog, openAuditLog } from './audit-log.ts';
import { createPasswords } from './password.ts';
import { findPasswordFault } from './password-rules.ts';
import { type PeopleStore, openPeopleStore } from './people-store.ts';
import { shareAudit } from './share-audit.ts';
import { sharePeople } from './share-people.ts';

export type OpenPeopleOptions = {
  readonly dataDir: string;
  /** Where replicas share people and what they did. Undefined for a portal that runs alone. */
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
  /** Tells the other replicas what happened here, and keeps what they tell. To be repeated about once a second. */
  readonly exchangeAudit: () => Promise<void>;
};

/** Opens the accounts of the console: alone, or together with other replicas. */
export async function openPeople(options: OpenPeopleOptions): Promise<OpenedPeople> {
  const { dataDir, shared, siteName, log, now } = options;
  const files = openAuditFiles(join(dataDir, 'audit'));
  const audit = openAuditLog({ files, now, log });
  const own = await openPeopleStore(dataDir);
  const store = shared ? await sharePeople({ own, ...shared, dataDir, log }) : own;
  // Before anybody asks: a portal that is new must know that there are accounts, and that everybody signs in.
  if (shared) await store.refresh();
  const exchangeAudit = shared
    ? await shareAudit({ files, ...shared, dataDir, now, log })
    : async () => undefined;
  const passwords = createPasswords();
  const accounts = createAccounts({ store, passwords, findPasswordFault, audit, siteName, now });
  return { store, accounts, audit, exchangeAudit };
}
