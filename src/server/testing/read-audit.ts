import { pino } from 'pino';
import type { AuditEntry } from '../../contract/people.ts';
import { openAuditLog } from '../people/open-audit-log.ts';
import { openDatabase } from '../store/open-database.ts';

/** The audit log of a data folder, oldest first. */
export async function readAudit(dataDir: string): Promise<readonly AuditEntry[]> {
  const log = pino({ level: 'silent' });
  const database = await openDatabase({ dataDir, log });
  try {
    const newest = await openAuditLog({ database, now: Date.now, log }).read({ limit: 1_000 });
    return newest.toReversed();
  } finally {
    await database.close();
  }
}
