import type { ChannelKind } from '../../../contract/incidents.ts';
import type { FieldSpec } from '../store/field-specs.ts';

/** The keys that a channel may have, beside its name and kind. */
export type ChannelKey =
  | 'url'
  | 'secret'
  | 'body'
  | 'chat'
  | 'api'
  | 'server'
  | 'from'
  | 'to'
  | 'user'
  | 'timeZone';

type ChannelForm = {
  /** The fields in their order. One without a default is required. */
  readonly fields: Readonly<Partial<Record<ChannelKey, FieldSpec>>>;
  /** Which of them say where a secret is. */
  readonly secrets: readonly ChannelKey[];
  /** Where the other side describes how to get what the form asks for. */
  readonly guide?: string;
};

const TEXT: FieldSpec = { kind: 'text', fallback: '' };
const REQUIRED: FieldSpec = { kind: 'text' };
const ZONE: FieldSpec = { kind: 'text', fallback: 'UTC' };

const chat = (guide: string): ChannelForm => ({
  fields: { url: REQUIRED, timeZone: ZONE },
  secrets: ['url'],
  guide,
});
const signedChat = (guide: string): ChannelForm => ({
  fields: { url: REQUIRED, secret: TEXT, timeZone: ZONE },
  secrets: ['url', 'secret'],
  guide,
});

/** How each kind of channel is asked for. The keys, and which of them must be there, are those of the schema of `alerts`. */
export const CHANNEL_FORMS: Readonly<Record<ChannelKind, ChannelForm>> = {
  webhook: {
    fields: {
      url: { kind: 'url' },
      secret: TEXT,
      body: { kind: 'long-text', fallback: '' },
      timeZone: ZONE,
    },
    secrets: ['secret'],
  },
  mail: {
    fields: {
      server: REQUIRED,
      from: REQUIRED,
      to: { kind: 'texts' },
      user: TEXT,
      secret: TEXT,
      timeZone: ZONE,
    },
    secrets: ['secret'],
  },
  telegram: {
    fields: {
      chat: REQUIRED,
      secret: REQUIRED,
      api: { kind: 'url', fallback: 'https://api.telegram.org' },
      timeZone: ZONE,
    },
    secrets: ['secret'],
    guide: 'https://core.telegram.org/bots/features#botfather',
  },
  slack: chat('https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/'),
  discord: chat('https://docs.discord.com/developers/resources/webhook#execute-webhook'),
  teams: chat(
    'https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook',
  ),
  feishu: signedChat('https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot'),
  dingtalk: signedChat('https://open.dingtalk.com/document/robots/custom-robot-access'),
  wecom: chat('https://developer.work.weixin.qq.com/document/path/91770'),
  pagerduty: {
    fields: {
      secret: REQUIRED,
      api: { kind: 'url', fallback: 'https://events.pagerduty.com' },
      timeZone: ZONE,
    },
    secrets: ['secret'],
    guide: 'https://developer.pagerduty.com/docs/events-api-v2-overview',
  },
};

/** The keys of a kind that must be there. */
export function listRequired(kind: ChannelKind): readonly ChannelKey[] {
  const { fields } = CHANNEL_FORMS[kind];
  return (Object.keys(fields) as ChannelKey[]).filter((key) => fields[key]?.fallback === undefined);
}
