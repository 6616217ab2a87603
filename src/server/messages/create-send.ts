import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHAT_KINDS, type ChannelAnswer, type ChannelFault } from '../../contract/incidents.ts';
import { quoteForeign } from '../../contract/quote-foreign.ts';
import type { AlertChannel } from '../../contract/site/alert-settings.ts';
import type { IsAllowed } from '../../line/lookup-allowed.ts';
import type { SendMessage } from './create-delivery.ts';
import type { Message } from './message.ts';
import { MessageError } from './reach-safely.ts';
import { sendChat } from './send-chat.ts';
import { sendMail } from './send-mail.ts';
import { sendPagerDuty } from './send-pagerduty.ts';
import { sendTelegram } from './send-telegram.ts';
import { sendWebhook } from './send-webhook.ts';

/** How messages leave this machine. */
export type MessageOptions = {
  /** Reads a variable of the environment, such as a secret. */
  readonly readVariable: (name: string) => string | undefined;
  /** Says which addresses may be connected to. */
  readonly isAllowed: IsAllowed;
  /** Of mail servers; see `sendMail`. */
  readonly ca?: string | undefined;
};

export type SendDeps = MessageOptions & { readonly dataDir: string; readonly now: () => number };

const MAX_WORDS_CHARS = 160;
/** Shorter ones are no secrets, and stand in many answers: `/`, for example. */
const MIN_HIDDEN_CHARS = 4;
/** A part of a secret that is as long as this is one by itself, such as the token at the end of an address. */
const MIN_HIDDEN_PART_CHARS = 12;

/** Sends messages by any channel. A secret is read anew for each message, so that it can be replaced. */
export function createSend({ dataDir, readVariable, isAllowed, now, ca }: SendDeps): SendMessage {
  return async (channel, message) => {
    const secret = await findSecret(channel.secret);
    // The address of a chat's webhook is a secret, too.
    const address = isChat(channel) ? ((await findSecret(channel.url)) ?? '') : '';
    const clean = createCleanWords([secret ?? '', ...listParts(address)]);
    try {
      return cleanAnswer(await sendBy(channel, message, { secret, address }), clean);
    } catch (error) {
      if (!(error instanceof MessageError)) throw error;
      // Without its cause, which has the words as they came: the log would have them.
      throw new MessageError(cleanFault(error.fault, clean), {
        answer: error.answer && cleanAnswer(error.answer, clean),
      });
    }
  };

  function sendBy(
    channel: AlertChannel,
    message: Message,
    { secret, address }: { readonly secret: string | undefined; readonly address: string },
  ): Promise<ChannelAnswer> {
    switch (channel.kind) {
      case 'webhook':
        return sendWebhook(channel, message, { secret, isAllowed, now: now() });
      case 'telegram':
        return sendTelegram(channel, message, { secret: secret ?? '', isAllowed });
      case 'mail':
        return sendMail(channel, message, { secret, isAllowed, ca });
      case 'pagerduty':
        return sendPagerDuty(channel, message, { secret: secret ?? '', isAllowed });
      case 'slack':
      case 'discord':
      case 'teams':
      case 'feishu':
      case 'dingtalk':
      case 'wecom':
        return sendChat(channel.kind, message, { url: address, secret, isAllowed, now: now() });
    }
  }

  async function findSecret(place: string | undefined): Promise<string | undefined> {
    if (place === undefined) return undefined;
    const name = place.slice(place.indexOf(':') + 1);
    const isVariable = place.startsWith('env:');
    const found = isVariable ? readVariable(name) : await readSecretFile(name);
    if (found) return found;
    throw new MessageError({
      kind: 'channel-secret-missing',
      place: isVariable ? 'variable' : 'file',
      name,
    });
  }

  async function readSecretFile(name: string): Promise<string | undefined> {
    try {
      return (await readFile(join(dataDir, 'secrets', name), 'utf8')).trim();
    } catch {
      return undefined; // The message names the file.
    }
  }
}

type ChatChannel = Extract<AlertChannel, { kind: (typeof CHAT_KINDS)[number] }>;

function isChat(channel: AlertChannel): channel is ChatChannel {
  return (CHAT_KINDS as readonly string[]).includes(channel.kind);
}

/** An address, and the parts of it by which others name it: "cannot POST /services/…". */
function listParts(address: string): readonly string[] {
  if (!URL.canParse(address)) return [address];
  const { pathname, search, searchParams } = new URL(address);
  return [address, pathname + search, pathname, search, ...searchParams.values()];
}

/** Cleans what the other side wrote. */
type CleanWords = (words: string) => string;

/** Makes one short line of what the other side wrote, without tags, and without what it repeats of our secrets. */
function createCleanWords(secrets: readonly string[]): CleanWords {
  const hidden = [...new Set(secrets.flatMap(listSpellings))].toSorted((a, b) => b.length - a.length);
  return (words) => {
    const shown = hidden
      .reduce((text, secret) => text.replaceAll(secret, '…'), words)
      .replaceAll(/<[^<>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return quoteForeign(shown, MAX_WORDS_CHARS);
  };
}

function cleanAnswer({ status, words }: ChannelAnswer, clean: CleanWords): ChannelAnswer {
  return { status, words: clean(words) };
}

/** Everybody who opens the console reads why a channel fails, and so do the people of other channels. */
function cleanFault(fault: ChannelFault, clean: CleanWords): ChannelFault {
  return fault.kind === 'channel-refused' ? { ...fault, reason: clean(fault.reason) } : fault;
}

/** A secret and its parts, as others write them: plain, in an address, and in JSON, where some write `/` as `\/`. */
function listSpellings(secret: string): readonly string[] {
  const parts = secret.split(/[/:?&=]/).filter((part) => part.length >= MIN_HIDDEN_PART_CHARS);
  return [secret, ...parts].flatMap((part) =>
    part.length < MIN_HIDDEN_CHARS
      ? []
      : [part, encodeURIComponent(part), part.replaceAll('/', String.raw`\/`)],
  );
}
