import { pino } from 'pino';
import { type AuditEntry, COMMAND_LINE_NAME } from '../contract/people.ts';
import { openAuditLog } from '../server/people/open-audit-log.ts';
import { DISK_LIMIT_MS, withDeadline } from '../server/process/with-deadline.ts';
import { readDatabasePlace } from './read-database-place.ts';
import { useDatabase } from './use-database.ts';

/** Notes in the audit log of a portal what a command has done. It never fails: what was done is done. */
export async function noteCommand(
  dataDir: string,
  note: Pick<AuditEntry, 'action' | 'to' | 'detail' | 'isUncertain'>,
): Promise<void> {
  const entry = { by: COMMAND_LINE_NAME, ...note };
  try {
    await useDatabase(readDatabasePlace(dataDir, process.env), async (database, log) => {
      const audit = openAuditLog({ database, now: Date.now, log });
      audit.write(entry);
      await withDeadline(audit.flush(), DISK_LIMIT_MS, `${dataDir} does not answer`);
    });
  } catch (error) {
    pino(process.stderr).warn({ err: error, entry }, 'the audit entry may not be written');
  }
}
