import { closeSync, openSync } from 'node:fs';
import { requestLine } from '../../line/request-line.ts';
import { createTestIncident, describeMessage } from '../messages/describe-message.ts';
import { postJson } from '../messages/reach-safely.ts';
import { sendMail } from '../messages/send-mail.ts';

const isAllowed = (): boolean => true;

/** Opens files until the system gives no more, asks a line, a webhook and a mail server, and tells the parent process what came of it. */
export async function askWithoutFiles(): Promise<void> {
  const message = describeMessage(createTestIncident(0), {
    id: 'test',
    type: 'test',
    site: 'Lumo',
    language: 'en',
    now: 0,
  });
  const server = 'smtps://mail.localhost:9';
  const mailbox = 'ops@example.com';
  const channel = { name: 'mail', kind: 'mail' as const, server, from: mailbox, to: [mailbox] };
  const sendTest = () => sendMail(channel, message, { secret: undefined, isAllowed }).catch(String);
  // Loads what is needed for it, while files can be opened.
  await sendTest();
  const files = openAll();
  const line = await requestLine('http://line.localhost:9', { now: () => performance.now() });
  const webhook = await postJson(new URL('http://hook.localhost:9/'), '{}', { isAllowed }).catch(String);
  const mail = await sendTest();
  for (const file of files) closeSync(file);
  process.send?.({ line, webhook, mail });
  process.disconnect();
}

function openAll(): readonly number[] {
  const files: number[] = [];
  for (;;) {
    try {
      files.push(openSync('/dev/null', 'r'));
    } catch {
      return files;
    }
  }
}
