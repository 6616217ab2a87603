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
  [
    /^(\d+) reports were refused in the last (\d+) minutes, more than were taken$/,
    '最近 $2 分钟内拒绝了 $1 份测速报告，多于接受的数量',
  ],
  [
    /^the region of (\S+) of the callers of the last (\d+) minutes is unknown$/,
    '最近 $2 分钟内，$1 的访客地区未知',
  ],
  [
    /^(\S+) is an address of this machine or of a private network: (\S+) allows those$/,
    '$1 是本机或内网的地址，设置 $2 后可用',
  ],
  [/^the variable (\S+) is not set$/, '没有设置变量 $1'],
  [/^(\S+) answered with status (\d+)$/, '$1 应答状态码为 $2'],
  [/^this is only a test$/, '这只是一条测试消息'],
  [/^gave no answer within (\d+) seconds$/, '$1 秒内没有应答'],
  [/^refused the connection$/, '拒绝连接'],
  [/^ended the connection without an answer$/, '没有应答就断开了连接'],
  [/^has no such name in DNS$/, 'DNS 中没有此名称'],
  [/^does not speak https here$/, '此端口没有使用 https'],
  [/^could not be reached \((\S+)\)$/, '无法连接（$1）'],
  [/^has a certificate that expired on (\S+)$/, '证书已于 $1 过期'],
  [/^has a certificate that is not for (\S+)$/, '证书不适用于 $1'],
  [/^has a certificate that is signed by itself, which no browser trusts$/, '证书为自签名，浏览器不信任'],
  [/^has a certificate whose authority is missing or not trusted$/, '证书链不完整，或颁发机构不受信任'],
  [/^has a certificate that is not valid \((\S+)\)$/, '证书无效（$1）'],
  [/^switches to another protocol \(status 101\)$/, '切换到了其他协议（状态码 101）'],
  [/^answers with status (\d+)$/, '应答状态码为 $1'],
  [/^redirects the speed check to (\S+)$/, '将测速请求重定向到 $1'],
  [/^does not allow pages of the portal to ask it$/, '不允许本站页面访问'],
  [/^sends no (\S+) header$/, '没有发送 $1 标头'],
  [/^says "([^"]*)", not "([^"]*)"$/, '标识为“$1”，应为“$2”'],
  [/^does not let a page read its marker$/, '页面无法读取其标识'],
  [/^answers the speed check, but its page answers (\d+)$/, '测速正常，但页面应答状态码为 $1'],
  [/^answers the speed check, but its page does not answer$/, '测速正常，但页面没有应答'],
  [/^has an application that is not well: (\S+) answers (\d+)$/, '应用异常：$1 应答状态码为 $2'],
  [/^has an application that is not well: (\S+) does not answer$/, '应用异常：$1 没有应答'],
  [/^has an application that is not well: (\S+) does not say what it must$/, '应用异常：$1 的内容不符合要求'],
];

/** Puts what the server saw into Chinese, as far as we have the words. The rest stays English. */
export function translateDetail(detail: string): string {
  // Several faults of a line.
  return detail.split('; ').map(translatePart).join('；');
}

function translatePart(part: string): string {
  const [english, chinese] = PHRASES.find(([phrase]) => phrase.test(part)) ?? ['', ''];
  return part.replace(english, chinese);
}
