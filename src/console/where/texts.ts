import { createTextsHook } from '../locale/locale.ts';
import type { LINE_ORDERS, NETWORK_ORDERS } from './order-networks.ts';

/** The texts of the view. They are loaded with it. */
export const en = {
  note: (shown: string, known: string) =>
    `${shown === known ? `All networks (${known})` : `The worst ${shown} of ${known} networks`}. All visitors of one address range (/24 or /48) count as one try. After one hour a try counts half.`,
  failingNow: 'Failing now',
  nothingFails: 'No line fails in any of these networks.',
  failure: (host: string, network: string) => `${host} fails in ${network}`,
  moreFailures: (count: string) => `${count} more in the map below`,
  map: 'Networks and lines',
  mapHint: 'Move with the arrow keys or choose with the pointer.',
  mapPlace: (host: string, network: string, grade: string) => `${host}, ${network}: ${grade}`,
  networkOrder: 'Networks',
  networkOrders: {
    worst: 'Worst first',
    name: 'By name',
    latest: 'Latest visitor first',
  } satisfies Record<(typeof NETWORK_ORDERS)[number], string>,
  lineOrder: 'Lines',
  lineOrders: {
    site: 'As in the site',
    worst: 'Worst first',
    name: 'By name',
  } satisfies Record<(typeof LINE_ORDERS)[number], string>,
  group: 'Group by country',
  zoom: 'Cells',
  zooms: { fit: 'All in view', numbers: 'With numbers' },
  unknownCountry: 'Country unknown',
  legend: { reach: 'Reached by', none: 'nobody tried', failing: 'several visitors in a row failed' },
  reachedBy: (part: string) => `reached by ${part}`,
  cellNumbers: (part: string, tries: string) => `Reached by ${part}. Recent tries: about ${tries}.`,
  cellTime: (time: string) => ` Time to answer: ${time}.`,
  cellEmpty: 'Nobody in this network was handed this line lately.',
  openWhy: 'Why these four here',
};

export type WhereTexts = typeof en;

export const zhCN: WhereTexts = {
  note: (shown, known) =>
    `${shown === known ? `全部 ${known} 个网络` : `${known} 个网络中最差的 ${shown} 个`}。同一地址段（/24 或 /48）算一次尝试；旧的尝试逐渐失效，一小时后只算一半。`,
  failingNow: '当前故障',
  nothingFails: '没有线路在这些网络中发生故障。',
  failure: (host, network) => `${host} 在 ${network} 中故障`,
  moreFailures: (count) => `另有 ${count} 处，见下图`,
  map: '网络与线路',
  mapHint: '用方向键移动，或用鼠标选择。',
  mapPlace: (host, network, grade) => `${host}，${network}：${grade}`,
  networkOrder: '网络排序',
  networkOrders: { worst: '最差的在前', name: '按名称', latest: '最近有访客的在前' },
  lineOrder: '线路排序',
  lineOrders: { site: '与站点相同', worst: '最差的在前', name: '按名称' },
  group: '按国家或地区分组',
  zoom: '单元格',
  zooms: { fit: '全部可见', numbers: '显示数字' },
  unknownCountry: '国家或地区未知',
  legend: { reach: '连通率', none: '无人尝试', failing: '访客接连无法连通' },
  reachedBy: (part) => `连通率 ${part}`,
  cellNumbers: (part, tries) => `连通率 ${part}，近期约 ${tries} 次尝试。`,
  cellTime: (time) => `应答延迟 ${time}。`,
  cellEmpty: '最近没有向此网络的访客分配此线路。',
  openWhy: '此网络为何是这四条',
};

export const useWhereTexts = createTextsHook<WhereTexts>({ en, 'zh-CN': zhCN });
