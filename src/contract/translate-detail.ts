/**
 * What the server sees of an incident, and the same in Chinese. The first that fits counts, so longer sentences come before those
 * that they end with.
 */
const PHRASES: readonly (readonly [english: RegExp, chinese: string])[] = [
  [/^some visitors do not reach it, wherever they are$/, '各地都有部分访客无法连通'],
  [/^visitors do not reach it$/, '访客无法连通'],
  [
    /^reaches none of the lines and backups: .*$/,
    '无法连接任何线路和备用线路：本机可能已断网，或线路已全部中断',
  ],
  [/^its certificate ends on (\S+)$/, '证书将于 $1 到期'],
  [/^Redis is away: each portal goes on alone$/, 'Redis 无法连接：各实例各自运行'],
  [/^the data folder cannot be written$/, '数据目录无法写入'],
  [
    /^(\S+) of the visitors of the last (\d+) minutes reached no line; at most (\S+) may$/,
    '最近 $2 分钟内，$1 的访客无法进入任何线路（允许 $3）',
  ],
  [/^this is only a test$/, '这只是一条测试消息'],
  [/^gave no answer within (\d+) seconds$/, '$1 秒内没有应答'],
  [/^refused the connection$/, '拒绝连接'],
  [/^ended the connection without an answer$/, '没有应答就断开了连接'],
  [/^has no such name in DNS$/, 'DNS 中没有此名称'],
  [/^has a certificate that expired on (\S+)$/, '证书已于 $1 过期'],
  [/^has a certificate that is not for (\S+)$/, '证书不适用于 $1'],
  [/^answers with status (\d+)$/, '应答状态码为 $1'],
  [/^sends no (\S+) header$/, '没有发送 $1 标头'],
  [/^says "([^"]*)", not "([^"]*)"$/, '标识为“$1”，应为“$2”'],
  [/^answers the speed check, but its page answers (\d+)$/, '测速正常，但页面应答状态码为 $1'],
  [/^has an application that is not well: (\S+) answers (\d+)$/, '应用异常：$1 应答状态码为 $2'],
];

/** Puts what the server saw into Chinese, as far as we have the words. The rest stays English. */
export function translateDetail(detail: string): string {
  const [english, chinese] = PHRASES.find(([phrase]) => phrase.test(detail)) ?? [];
  if (english !== undefined && chinese !== undefined) return detail.replace(english, chinese);
  // Several faults of a line.
  const parts = detail.split('; ');
  return parts.length === 1 ? detail : parts.map(translateDetail).join('；');
}
