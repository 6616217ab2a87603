import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { createIncidentStore } from '../incidents/create-incident-store.ts';
import { createIncidentKeeper } from '../incidents/create-incident-keeper.ts';
import { createSend } from '../messages/create-send.ts';
import { describeMessage } from '../messages/describe-message.ts';
import { openDatabase } from '../store/open-database.ts';

/**
 * Follows this number of lines, which are all down, and tells a webhook of each, until it is killed. Says when nothing waits.
 * Without the address of a PostgreSQL it keeps the incidents in the data folder.
 */
export async function tellForEver(
  dataDir: string,
  url: string,
  lines: number,
  databaseUrl?: string,
): Promise<void> {
  const log = pino({ level: 'silent' });
  const now = Date.now;
  const database = await openDatabase({ dataDir, url: databaseUrl, log });
  const { follow, watch, channels } = createIncidentKeeper({
    store: createIncidentStore(database),
    observe: () => Array.from({ length: lines }, (_, line) => sightLine(`line${line}`)),
    settings: () => ({
      channels: [{ name: 'pager', kind: 'webhook', url }],
      rules: [{ severity: 'low', lines: ['*'], to: ['pager'], resolved: true }],
    }),
    calmMs: () => 60_000,
    isSilenced: () => false,
    describe: (incident, { type }, id) =>
      describeMessage(incident, { id, type, site: 'Lumo', language: 'en', now: now() }),
    send: createSend({ dataDir, now, readVariable: () => undefined, isAllowed: () => true }),
    sign: (text) => text,
    onOpen: () => undefined,
    onMessage: () => undefined,
    log,
    now,
  });
  watch();
  for (;;) {
    await follow();
    if (channels().every(({ waiting }) => waiting === 0)) process.send?.('nothing waits');
    await wait(2);
  }
}

function sightLine(id: string) {
  return {
    cause: `line/${id}`,
    kind: 'line-down',
    severity: 'high',
    subject: id,
    affected: [],
    detail: { kind: 'text', text: '' },
    since: 0,
    visitors: 0,
    isSure: true,
  } as const;
}
