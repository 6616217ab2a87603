import type { InConsoleLanguages } from '../../contract/console-language.ts';
import type { ChannelKind } from '../../contract/incidents.ts';

/** Names that are the same in every language. */
const BRANDS = {
  webhook: 'Webhook',
  telegram: 'Telegram',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
};

/** What the kinds of channels are called. */
export const CHANNEL_NAMES: InConsoleLanguages<Readonly<Record<ChannelKind, string>>> = {
  en: { ...BRANDS, mail: 'Mail', feishu: 'Feishu / Lark', dingtalk: 'DingTalk', wecom: 'WeCom' },
  'zh-CN': { ...BRANDS, mail: '邮件', feishu: '飞书 / Lark', dingtalk: '钉钉', wecom: '企业微信' },
};
