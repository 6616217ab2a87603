import type { CampaignState } from '../../contract/campaigns.ts';
import type { SourceStep, UTM_KINDS } from '../../contract/visitors.ts';
import { createTextsHook } from '../locale/locale.ts';

/** The texts of the view. They are loaded with it. */
const en = {
  list: 'Campaigns',
  listNote: 'each link, and the way of its visitors to a line',
  campaign: 'Campaign',
  trend: 'Opened, over time',
  trendOf: (name: string) => `How often ${name} was opened, over time`,
  steps: {
    page_view: 'Opened',
    first_row: 'Saw a time',
    entered: 'Entered',
  } satisfies Record<SourceStep, string>,
  share: 'Entered, of opened',
  states: {
    open: '',
    soon: 'has not begun',
    ended: 'ended',
    removed: 'no longer in the site',
  } satisfies Record<CampaignState, string>,
  none: 'There is no campaign yet.',
  noneText: 'A campaign is a link such as /c/spring, which takes a visitor to the fastest line.',
  add: 'Add a campaign',
  off: 'Nothing is counted, so there are no numbers.',
  still: (name: string, count: string) =>
    `“${name}” does not work any more, and was opened ${count} times. Visitors get the landing page. Change its end, or ask the people who post it to stop.`,
  fetches: 'Requests without a visitor',
  previews: (count: string) => `${count} times by programs that show links`,
  prefetches: (count: string) => `${count} times by browsers that load links ahead`,
  utm: {
    utm_source: 'By utm_source',
    utm_medium: 'By utm_medium',
    utm_campaign: 'By utm_campaign',
  } satisfies Record<(typeof UTM_KINDS)[number], string>,
  utmNote: 'visits of /, /r, /t and /c with this parameter',
  value: 'Value',
  back: 'All campaigns',
  noPublicUrl: 'Set publicUrl in the site’s settings to see the whole link here.',
  endsAt: (to: string) => `Ends at: ${to}`,
  ends: { line: 'the fastest line', landing: 'the landing page' } as Readonly<Record<string, string>>,
  unknownCampaign: 'Nothing is known of this code.',
  qr: 'QR code',
  qrNote: 'offered after a decoder has read it',
  qrOf: (link: string) => `The QR code of ${link}`,
  qrLevel: 'What may be covered or scratched',
  qrLevels: {
    low: '7%: for screens, without a logo',
    medium: '15%: for paper',
    quartile: '25%: for posters',
    high: '30%: for outdoors',
  },
  qrUnreadable: 'A decoder could not read this code, so it is not offered. Choose another level.',
  qrWithoutLogo: 'Without the logo, because a decoder could not read the code with it.',
};

export type CampaignTexts = typeof en;

const zhCN: CampaignTexts = {
  list: '推广活动',
  listNote: '每个链接，以及访客通往线路的过程',
  campaign: '活动',
  trend: '打开次数走势',
  trendOf: (name) => `${name} 的打开次数走势`,
  steps: { page_view: '打开', first_row: '看到延迟', entered: '进入' },
  share: '进入占打开',
  states: { open: '', soon: '尚未开始', ended: '已结束', removed: '已不在站点中' },
  none: '还没有推广活动。',
  noneText: '推广活动是形如 /c/spring 的链接，把访客带到最快的线路。',
  add: '添加推广活动',
  off: '目前没有计数，因此没有数据。',
  still: (name, count) =>
    `“${name}”已失效，但仍被打开 ${count} 次，访客看到的是落地页。请修改结束时间，或请发布者停止使用。`,
  fetches: '没有访客的请求',
  previews: (count) => `由显示链接的程序请求 ${count} 次`,
  prefetches: (count) => `由浏览器预取 ${count} 次`,
  utm: { utm_source: '按 utm_source', utm_medium: '按 utm_medium', utm_campaign: '按 utm_campaign' },
  utmNote: '带有此参数的 /、/r、/t 和 /c 访问',
  value: '值',
  back: '所有活动',
  noPublicUrl: '在站点设置中填写 publicUrl 后，此处会显示完整的链接。',
  endsAt: (to) => `通往：${to}`,
  ends: { line: '最快的线路', landing: '落地页' },
  unknownCampaign: '没有关于此代码的任何数据。',
  qr: '二维码',
  qrNote: '经解码器识别后才提供',
  qrOf: (link) => `${link} 的二维码`,
  qrLevel: '可被遮挡或磨损的比例',
  qrLevels: {
    low: '7%：用于屏幕，不带标志',
    medium: '15%：用于纸张',
    quartile: '25%：用于海报',
    high: '30%：用于户外',
  },
  qrUnreadable: '解码器无法识别此二维码，因此不提供，请选择其他比例。',
  qrWithoutLogo: '不带标志，因为带标志时解码器无法识别。',
};

export const useCampaignTexts = createTextsHook<CampaignTexts>({ en, 'zh-CN': zhCN });
