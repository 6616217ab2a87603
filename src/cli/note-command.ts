import { join } from 'node:path';
import { pino } from 'pino';
import { type AuditEntry, COMMAND_LINE_NAME } from '../contract/people.ts';
import { openAuditFiles } from '../server/people/audit-files.ts';
import { openAuditLog } from '../server/people/audit-log.ts';
import { DISK_LIMIT_MS, withDeadline } from '../server/process/with-deadline.ts';

/** Notes in the audit log of a data folder what a command has done. It never fails: what was done is done. */
export async function noteCommand(
  dataDir: string,
  note: Pick<AuditEntry, 'action' | 'to' | 'detail' | 'isUncertain'>,
): Promise<void> {
  const dir = join(dataDir, 'audit');
  const log = pino({ level: 'warn' }, process.stderr);
  const audit = openAuditLog({ files: openAuditFiles(dir), now: Date.now, log });
  const entry = { by: COMMAND_LINE_NAME, ...note };
  audit.write(entry);
  await withDeadline(audit.flush(), DISK_LIMIT_MS, `${dir} does not answer`).catch((error: unknown) =>
    log.warn({ err: error, entry }, 'the audit entry may not be written'),
  );
}
