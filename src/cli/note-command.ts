import { join } from 'node:path';
import { pino } from 'pino';
import { type AuditEntry, COMMAND_LINE_NAME } from '../contract/people.ts';
import { openAuditFiles } from '../server/people/audit-files.ts';
import { openAuditLog } from '../server/people/audit-log.ts';

/** Notes in the audit log of a data folder what a command has done. */
export async function noteCommand(
  dataDir: string,
  note: Pick<AuditEntry, 'action' | 'to' | 'detail'>,
): Promise<void> {
  const files = openAuditFiles(join(dataDir, 'audit'));
  const audit = openAuditLog({ files, now: Date.now, log: pino({ level: 'error' }, process.stderr) });
  audit.write({ by: COMMAND_LINE_NAME, ...note });
  await audit.flush();
}
