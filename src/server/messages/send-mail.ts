import { Socket } from 'node:net';
import type { ChannelAnswer } from '../../contract/incidents.ts';
import { readCode } from '../../contract/read-code.ts';
import type { AlertChannel } from '../../contract/site/alert-settings.ts';
import type { IsAllowed } from '../../line/lookup-allowed.ts';
import type { Message } from './message.ts';
import { MessageError, findAllowedAddress } from './reach-safely.ts';

type Mail = Extract<AlertChannel, { kind: 'mail' }>;

export type MailOptions = {
  readonly secret: string | undefined;
  readonly isAllowed: IsAllowed;
  /** Trusts only these authorities, in PEM, instead of the usual ones. */
  readonly ca?: string | undefined;
  /** A mail that takes longer is given up. */
  readonly limitMs?: number;
};

const TIMEOUT_MS = 10_000;
const LIMIT_MS = 15_000;

/** Sends a message by mail: over TLS from the start (`smtps:`), or with STARTTLS, which the server must offer. */
export async function sendMail(
  { server, user, from, to }: Mail,
  message: Message,
  { secret, isAllowed, ca, limitMs = LIMIT_MS }: MailOptions,
): Promise<ChannelAnswer> {
  const { protocol, hostname, port } = new URL(server);
  const isSecure = protocol === 'smtps:';
  const host = await findAllowedAddress(hostname, isAllowed);
  // Imported here, so that a portal without such a channel does not load the library.
  const { createTransport } = await import('nodemailer');
  // The library waits anew after each byte, so that a server could hold a connection for ever.
  const socket = new Socket();
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, limitMs);
  const transport = createTransport({
    socket,
    host,
    port: Number(port) || (isSecure ? 465 : 587),
    secure: isSecure,
    // Without it, an attacker on the way could take STARTTLS away and read the password.
    requireTLS: !isSecure,
    tls: { servername: hostname, ...(ca === undefined ? {} : { ca }) },
    ...(user === undefined ? {} : { auth: { user, pass: secret ?? '' } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { response } = await transport.sendMail({
      from,
      to: [...to],
      subject: message.title,
      text: message.text,
      // The same for the same message: mail programs show it once.
      messageId: `<${message.id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
      headers: { 'Waypost-Event': message.id, 'Auto-Submitted': 'auto-generated' },
    });
    return readReply(response);
  } catch (error) {
    if (isLate) throw new MessageError({ kind: 'channel-late', host: hostname, seconds: limitMs / 1_000 });
    const reply = error instanceof Error && 'response' in error ? String(error.response) : '';
    throw new MessageError(
      { kind: 'channel-unreachable', host: hostname, ...codeOf(error) },
      { answer: reply === '' ? undefined : readReply(reply) },
    );
  } finally {
    clearTimeout(limit);
    socket.destroy();
    transport.close();
  }
}

/** A reply such as `250 2.0.0 OK`. */
function readReply(reply: string): ChannelAnswer {
  return { status: Number(reply.slice(0, 3)) || 0, words: reply.slice(4) };
}

/** Without what the library adds of the session: it may hold the password. */
function codeOf(error: unknown): { readonly code?: string } {
  if (!(error instanceof Error)) return {};
  const status = 'responseCode' in error ? ` ${String(error.responseCode)}` : '';
  return { code: `${readCode(error) || error.name}${status}` };
}
