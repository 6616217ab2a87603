import type { ConsoleLanguage } from '../../../contract/console-language.ts';
import type { Platform } from '../../../contract/site/campaign-ends.ts';
import type { LinkName } from '../../../contract/site/links-config.ts';
import { useLocale } from '../../locale/locale.ts';

/** The texts of the section. They are loaded with it. */
const en = {
  note: 'links of your own, such as /c/spring, that end at the fastest line',
  none: 'There is no campaign yet.',
  add: 'New campaign',
  addButton: 'Make the link',
  name: 'Name, for you',
  code: 'Code, the end of the link',
  codeHint: 'Small letters, digits and dashes. It cannot be changed later, because it is printed and posted.',
  codeWrong: 'A code has 1 to 40 small letters, digits and dashes.',
  codeTaken: 'Another campaign has this code.',
  copy: 'Copy the link',
  more: 'Numbers and QR code, once it is published',
  end: 'Where it ends',
  ends: { line: 'The fastest line', landing: 'The landing page' } as Readonly<Record<string, string>>,
  target: (name: string) => `The target /t/${name}`,
  links: {
    ub: 'Download: main browser',
    esb: 'Download: Android browser',
    wallet: 'Wallet tutorial',
    telegram: 'Official channel',
    service: 'Customer service',
  } satisfies Record<LinkName, string>,
  path: 'Page on the line',
  pathHelp: 'Such as /promo/spring. Empty means its first page.',
  utm: 'Parameters for your own statistics',
  from: (zone: string) => `Begins (${zone})`,
  until: (zone: string) => `Ends (${zone})`,
  shown: 'What messengers show',
  title: 'Title',
  description: 'Text',
  image: 'Picture, a path in the site folder',
  imageHelp: 'A file of 1200 × 630 pixels and at most 600,000 bytes.',
  upload: 'Upload a picture',
  card: 'How it looks in a message',
  siteTitle: '(the title of the site)',
  siteText: '(the description of the site)',
  rules: 'Rules: the first that fits a visitor decides',
  addRule: 'Add a rule',
  devices: { ios: 'iPhone', android: 'Android', desktop: 'Computers and iPads' } satisfies Record<
    Platform,
    string
  >,
  countries: 'In these countries, as codes such as SG, one a row',
  goTo: 'They go to',
  sameEnd: 'The same end as all others',
  anyDevice: 'any device',
  sentence: (number: number, devices: string, countries: string, end: string) =>
    `${number}. On ${devices}${countries === '' ? '' : `, in ${countries}`}: ${end}`,
  or: ' or ',
  up: 'Move up',
  upOf: (number: number) => `Move rule ${number} up`,
  removeRule: 'Remove this rule',
  removeRuleOf: (number: number) => `Remove rule ${number}`,
  remove: 'Remove this campaign',
};

export type CampaignFormTexts = typeof en;

const zhCN: CampaignFormTexts = {
  note: '您自己的链接，例如 /c/spring，通往最快的线路',
  none: '还没有推广活动。',
  add: '新建推广活动',
  addButton: '生成链接',
  name: '名称，供您自己识别',
  code: '代码，即链接的结尾',
  codeHint: '小写字母、数字和短横线。链接会被印刷和发布，因此代码之后不能修改。',
  codeWrong: '代码须为 1 到 40 个小写字母、数字和短横线。',
  codeTaken: '已有活动使用此代码。',
  copy: '复制链接',
  more: '数据和二维码（发布后可见）',
  end: '通往',
  ends: { line: '最快的线路', landing: '首页' },
  target: (name) => `目标 /t/${name}`,
  links: {
    ub: '下载：主浏览器',
    esb: '下载：安卓浏览器',
    wallet: '钱包教程',
    telegram: '官方频道',
    service: '客服',
  },
  path: '线路上的页面',
  pathHelp: '例如 /promo/spring，留空则为线路首页。',
  utm: '供您自己统计的参数',
  from: (zone) => `开始时间（${zone}）`,
  until: (zone) => `结束时间（${zone}）`,
  shown: '在聊天软件中的显示',
  title: '标题',
  description: '文字',
  image: '图片，站点目录中的路径',
  imageHelp: '1200 × 630 像素，最多 600,000 字节。',
  upload: '上传图片',
  card: '在消息中的样子',
  siteTitle: '（站点的标题）',
  siteText: '（站点的描述）',
  rules: '规则：第一条符合访客的规则生效',
  addRule: '添加规则',
  devices: { ios: 'iPhone', android: '安卓', desktop: '电脑和 iPad' },
  countries: '所在国家或地区的代码，例如 SG，每行一个',
  goTo: '前往',
  sameEnd: '与其他访客相同',
  anyDevice: '任何设备',
  sentence: (number, devices, countries, end) =>
    `${number}. ${countries === '' ? '' : `${countries}的`}${devices}访客：${end}`,
  or: '或',
  up: '上移',
  upOf: (number) => `上移规则 ${number}`,
  removeRule: '移除此规则',
  removeRuleOf: (number) => `移除规则 ${number}`,
  remove: '移除此活动',
};

const TEXTS: Readonly<Record<ConsoleLanguage, CampaignFormTexts>> = { en, 'zh-CN': zhCN };

export function useCampaignFormTexts(): CampaignFormTexts {
  return TEXTS[useLocale().language];
}
