import type { HostPart, JsonError, NoFile, SiteFaultTexts, Thing } from './en.ts';

export const zhCN: SiteFaultTexts = {
  theFile: '此文件',
  breaks: (at, rule) => `${at} ${rule}`,
  orByLanguage: (sentence) => `${sentence}，或按语言填写的对象，例如 { "default": "…", "en": "…" }`,
  got: (sentence, value) => `${sentence}，现为 ${value}`,

  rules: {
    text: '须为文字',
    'not-empty': '不能为空',
    'no-control-characters': '不能含有控制字符',
    'no-half-characters': '不能含有不完整的字符，例如 "\\ud83d"',
    'one-line': '须为一行文字，不能含有换行或控制字符',
    ascii: '须为可见的 ASCII 字符',
    boolean: '须为 true 或 false',
    'number-above-0': '须为大于 0 的数字',
    count: '须为大于 0 的整数',
    number: ({ least, most }) => `须为 ${least} 到 ${most} 之间的数字`,
    'whole-number': ({ least, most }) => `须为 ${least} 到 ${most} 之间的整数`,
    port: '须为 1 到 65535 之间的端口',
    'one-of': ({ choices }) => `须为 ${choices.map(quote).join('、')} 之一`,
    list: ({ example }) => (example === undefined ? '须为列表' : `须为列表，例如 ${example}`),
    'at-least-one': ({ of }) => `须至少有一个${THINGS[of]}`,
    'at-most': ({ most, of }) => `最多可有 ${most} 个${THINGS[of]}`,
    exactly: ({ most, of }) => `须恰好有 ${most} 个${THINGS[of]}`,
    items: ({ most }) => `最多可有 ${count(most)} 项`,
    characters: ({ most }) => `最多可有 ${count(most)} 个字符`,
    object: ({ keys }) => (keys.length === 0 ? '须为对象' : `须为对象，可用的键：${keys.join('、')}`),
    'not-valid': '不符合要求',
    missing: ({ example, choices }) =>
      `未填写，请写上 ${example}${choices.length > 0 ? `（${choices.map(quote).join('、')} 之一）` : ''}`,
    twice: '重复出现，请删去一个',
    'unknown-key': ({ known, meant }) => `不是可用的键，${suggest({ known, meant })}`,
    'person-name': '须为名称，1 到 64 个字母、数字、空格和 . _ @ + -，例如 "li.wei"',
    'json-schema': '须为 JSON Schema 的路径',
    'session-id': '须为会话编号',
    day: '须为日期，例如 2026-11-16',
    erasure: '须为 { "session": "…" }（会话编号）或 { "before": "2026-11-16" }',

    'language-tag': '须为语言标签，例如 "vi" 或 "pt-BR"',
    'language-spelling': ({ write }) => `不是该语言的规范写法，请写 ${quote(write)}`,
    'no-language': ({ meant }) =>
      `不是语言代码（ISO 639-1）${meant === undefined ? '' : `，是否应为 ${quote(meant)}？`}`,
    'unknown-language': ({ known, meant, isLanguage }) =>
      meant === undefined
        ? `不在 locales 中，${isLanguage ? '请将其加入 locales，或' : '请'}改为其中之一：${known.join('、')}`
        : `不在 locales 中，是否应为 ${quote(meant)}？${isLanguage ? '否则请将其加入 locales，或在此删去' : ''}`,
    'text-key': ({ meant }) =>
      `不是文案的键，${meant === undefined ? '全部的键见 docs/texts.md' : `是否应为 ${quote(meant)}？`}`,
    country: '须为两个大写字母的国家或地区代码，例如 "GB"',
    'union-of-countries': '不是国家或地区，请逐一写出其中的国家',
    'country-spelling': ({ write }) => `不是现行的代码，请写 ${quote(write)}`,
    'no-country': '不是国家或地区代码（ISO 3166-1）',
    moment: '须为带时区的时间，例如 "2026-12-01T08:00+08:00"，且日期须存在',
    'after-from': '须晚于 "from"',
    colour: ({ write }) =>
      write === undefined ? '须为颜色，例如 "#e0b34c"' : `须为六位的颜色，请写 ${quote(write)}`,
    download: ({ known, meant }) => `不是可用的下载项，${suggest({ known, meant })}`,
    'offline-days': ({ most }) => `须为 ${most}，因为 compliance.restrictedRegions 限制了地区`,

    'mail-address': '须为邮箱地址',
    'web-url': '须为以 https:// 或 http:// 开头的完整网址',
    'empty-or-web-url': '须为空，或为以 https:// 或 http:// 开头的网址',
    'intake-url': '须为空、"self"，或为以 https:// 或 http:// 开头的网址',
    link: ({ schemes }) => `须为链接，开头可以是 ${schemes.join('、')}`,
    'header-name': '须为标头的名称',
    path: '须为路径，例如 "/health"',
    range: '须为地址段，例如 "10.0.0.0/8"',
    network: '须为网络，例如 "AS64500" 或 "203.0.113.0/24"',
    hostname: '须为主机名，例如 "go.example"，不带协议和端口',
    host: '须为主机，例如 "line1.example"',
    'line-entry': '须为主机，例如 "line1.example"，或含有 host、noWWW 和 weight 的对象',
    'host-scheme': ({ scheme }) => `的协议 ${quote(scheme)} 不可用，请写 https:// 或 http://，或不写`,
    'broken-scheme': ({ write }) => `的协议缺少 "://"，请写 ${quote(write)}`,
    'more-than-host': ({ part, write }) => `含有多余的${HOST_PARTS[part]}，请只写 ${quote(write)}`,
    'host-comma': '含有逗号，每个主机须单独填写，例如 "line1.example"',
    'host-space': '含有空格，请只写主机，例如 "line1.example"',
    'host-port': ({ port }) => `的端口 ${port} 不可用，须为 1 到 65535`,
    'plain-host': '须为主机，例如 "line1.example"，目前的内容不是有效的主机',
    'not-a-line': '不能是 lines.hosts 中已有的主机',
    'json-value': '须为文字、数字、true、false 或 null',
    'text-or-json': 'text 和 json 不能同时使用',
    'links-file': '须为链接的对象：{ "ub": "https://…", … }',
    'target-file': '须为主机的对象：{ "a": "line1.example" }',
    'empty-target': '须至少有一个主机：{ "a": "line1.example" }',

    'image-path': '须为站点目录内的路径，例如 "images/logo.svg"',
    'image-type': ({ types }) => `须为图片（${types.join('、')}）`,
    'image-file': ({ path, isEmpty, isOptional }) =>
      `须为站点目录中的图片，现为 ${quote(path)}，${isEmpty ? '该文件为空' : '没有这个文件'}${isOptional ? '（此键可以省略）' : ''}`,
    'qr-code': ({ image, link, name, found }) =>
      `须为 ${quote(link)} 的二维码（json/link.json 的 ${name}），${found === undefined ? `但 ${image} 中没有可识别的二维码` : `但 ${image} 指向 ${quote(found)}`}`,
    'image-shape': ({ image, width, height, least, most }) =>
      `使用 ${image}（${width} × ${height} 像素），与所在位置不符：宽度须为高度的 ${least} 到 ${most} 倍`,
    'image-too-small': ({ image, width, height }) =>
      `使用 ${image}（${width} × ${height} 像素），太小，无法看清`,

    'campaign-code': '须为 1 到 40 个小写字母、数字和 - 组成的代码，例如 "spring-cup"',
    'campaign-to':
      '须为 "line"、"landing"、"target:名称"（json/urls 中的文件）或 "link:名称"（json/link.json 中的链接）',
    'link-name': ({ known, meant }) => `须为 "link:名称"，名称须是已有的链接，${suggest({ known, meant })}`,
    'known-target': ({ known, meant }) =>
      `须为 "target:名称"，名称须是 json/urls 中的文件，${known.length === 0 ? '目前一个也没有' : suggest({ known, meant })}`,
    'campaign-path': '须为路径，例如 "/promo/spring"，不带“?”、“#”和空格，参数请写在 "query" 中',
    'campaign-needs-line': '只用于通往线路的链接，请去掉，或写 "to": "line"',
    'campaign-condition': '对所有访客都成立，请写明设备或国家，或去掉此规则并修改活动本身',
    'campaign-never': '永远不会生效，因为前面的规则已涵盖它的所有访客，请上移或去掉',
    'link-missing': ({ name }) => `会打开首页，因为 json/link.json 中没有可用的 ${quote(name)}`,
    'image-too-large': ({ image, most, found }) =>
      `使用 ${image}（${count(found)} 字节），显示链接的程序会跳过超过 ${count(most)} 字节的图片`,

    'channel-object': '须为对象，含有键 name、kind 和该类通道的其他键',
    'channel-kind':
      '须为 "webhook"、"telegram"、"mail"、"slack"、"discord"、"teams"、"feishu"（Lark 也用它）、"dingtalk"、"wecom" 或 "pagerduty"',
    'time-zone': '须为时区名称，例如 "Asia/Singapore"',
    name: '须为名称，最多 32 个字母、数字、- 和 _，例如 "night"',
    'name-taken': '的名称与前面的通道重复',
    'mail-channel': ({ known }) =>
      `必须是 alerts.channels 中类型为 "mail" 的通道名称${known.length > 0 ? `：${known.join('、')}` : '，目前没有'}`,
    'known-channel': ({ known }) =>
      `须为 alerts.channels 中通道的名称${known.length > 0 ? `：${known.join('、')}` : ''}`,
    secret:
      '须写明密钥的位置："env:WAYPOST_ALERT_…"（变量）或 "file:NAME"（数据目录下 "secrets" 文件夹中的文件）',
    'json-template': '须为 JSON，占位符如 {{title}} 须写在其文字之中，示例见 docs/alerts.md',
    placeholder: ({ name, known, meant }) =>
      `含有 {{${name}}}，它不是占位符，${meant === undefined ? `可用的有：${known.join('、')}` : `是否应为 {{${meant}}}？`}`,
    chat: '须为会话的标识，写成文字，例如 "-1001234567890" 或 "@channel"',
    'mail-server':
      '须为邮件服务器，例如 "smtp://mail.example:587"（STARTTLS）或 "smtps://mail.example:465"（TLS）',
    'incident-kind': ({ known }) => `须为其中之一：${known.join('、')}`,
    reminder: ({ least }) => `至少为 ${least}，不需要提醒时请省略`,
    hours: '须为带时区的时段，例如 "22:00-08:00 Asia/Singapore"',

    'mmdb-path': '须为 mmdb 文件的路径，或此类路径的列表',
    'mmdb-missing': ({ path, at }) => `须为 mmdb 文件的路径，现为 ${quote(path)}，没有文件 ${at}`,
    'mmdb-unreadable': ({ path }) => `须为 mmdb 文件的路径，现为 ${quote(path)}，该文件无法读取`,
    'mmdb-useless': ({ path }) =>
      `的 ${quote(path)} 既没有国家（country.iso_code 或 country_code），也没有自治系统（autonomous_system_number），请换一个文件`,
    'mmdb-one-family': ({ path, has, lacks }) =>
      `的 ${quote(path)} 只含 ${has} 地址，使用 ${lacks} 地址的访客将无法识别`,
    'mmdb-damaged': ({ path, address }) =>
      `的 ${quote(path)} 含有无法读取的记录，例如 ${address} 的记录，请重新下载`,
    'needs-countries':
      '需要能够得知访客的国家或地区：请设置 network.mmdb，或同时设置 network.countryHeader 和 network.trustedProxies',
    'needs-country-file': '需要国家数据，而 network.mmdb 中没有，请添加含有国家的文件',
    'needs-systems':
      '写有自治系统，但无法得知访客的自治系统：请设置 network.mmdb，或改写为地址段，例如 "203.0.113.0/24"',
    'needs-system-file': '需要自治系统数据，而 network.mmdb 中没有，请添加含有自治系统的文件',

    'missing-texts': ({ names, all, instead }) =>
      `缺少 ${all} 条文案中的 ${names.length} 条，将以 ${instead.join(' 或 ')} 显示：${names.join('、')}`,
    'unknown-braces': ({ names, known }) =>
      `含有 ${names.join('、')}，访客会原样看到，可用的有：${known.join('、')}`,
    'unseen-logo': ({ image, background, seen }) =>
      `为 ${image}，在背景 ${background} 上只有 ${seen}% 可见。请换用其他颜色的标志：深色背景显示 "logo"，浅色背景显示 "logoLight"`,
    contrast: ({ colour, background, ratio, least }) =>
      `${colour} 与背景 ${background} 的对比度为 ${ratio}，须达到 ${least} 才能看清：页面会改用其他深浅的颜色，请选择合适的颜色`,
    'tight-limit': ({ limit, least }) =>
      `${limit} 会拒绝正常访客：每个页面发出 5 次请求，多人可能共用一个地址，请写 ${least} 或更大的数`,
    'wide-exemption': ({ range }) => `${quote(range)} 会使大部分互联网地址不受限制，请写更小的地址段`,
    'wide-proxies': ({ range }) =>
      `${quote(range)} 会让大部分互联网地址可以伪造来源地址，请只写您的代理的地址段`,
  },

  facts: {
    'no-path': '站点目录的路径为空，请填写，例如 ./site',
    'no-folder': '站点目录不存在，请更正路径，或用“waypost init”新建',
    'file-for-folder': '这是文件，而站点是目录，请写 site.json 所在目录的路径',
    'too-many-files': ({ most }) => `最多可有 ${most} 个文件，请移除不属于站点的内容，例如指向其他目录的链接`,
    'not-a-file': ({ found }) => `须为普通文件，现为${NO_FILES[found]}`,
    'file-too-large': ({ most, found }) => `最多 ${count(most)} 字节，现有 ${count(found)} 字节`,
    'link-to-itself': '这是指向自身的链接，请移除',
    'link-back': '它指回所在的目录，请移除该链接',
    'file-missing': '缺少此文件',
    'json-too-large': ({ most, found }) => `JSON 文件最多 ${count(most)} 字节，此文件有 ${count(found)} 字节`,
    'all-json-too-large': ({ most, found }) =>
      `站点的 JSON 文件合计最多 ${count(most)} 字节，现有 ${count(found)} 字节，请移除一部分`,
    'json-too-deep': ({ most }) => `列表和对象最多嵌套 ${most} 层，请减少层数`,
    'too-many-values': ({ most }) => `JSON 文件最多可有 ${count(most)} 个值，此文件超过了这个数量`,
    'not-utf8': '此文件不是 UTF-8 编码，请以 UTF-8 保存',
    'byte-order-mark': '请将此文件保存为不带字节顺序标记（BOM）的 UTF-8',
    'empty-file': '此文件为空',
    'long-key': ({ most }) => `键最多 ${most} 个字符`,
    'broken-json': ({ expected, token, line }) =>
      token === undefined
        ? JSON_ERRORS[expected]('文件末尾')
        : `${JSON_ERRORS[expected](`“${token}”`)}，所在行：${line}`,
    'full-width-sign': ({ sign, write, line }) => `请将 ${sign} 改为 ${write}，所在行：${line}`,
    'target-name': ({ name }) => `目标的名称须为 1 到 64 个字母、数字、"-" 或 "_"，现为 ${quote(name)}`,
    'more-faults': ({ most }) => `问题不止这 ${most} 个，请先修正这些`,
    'not-loaded': ({ reason }) => `未能加载：${reason}`,
    'no-answer': '站点目录没有响应',
    'demo-content': ({ names }) => `仍是演示内容：${names.join('、')}`,
    'reserved-names': ({ names }) => `访客永远无法打开的名称：${names.join('、')}`,
    'both-schemes': ({ names }) => `同一主机既有 http 又有 https：${names.join('、')}`,
  },
};

const THINGS: Readonly<Record<Thing, string>> = {
  host: '主机',
  language: '语言',
  channel: '通道',
  mail: '邮箱地址',
  device: '设备',
  country: '国家或地区',
};
const HOST_PARTS: Readonly<Record<HostPart, string>> = {
  user: '用户名',
  query: '参数',
  fragment: ' # 部分',
  path: '路径',
};
const NO_FILES: Readonly<Record<NoFile, string>> = {
  pipe: '命名管道',
  socket: '套接字',
  folder: '目录',
  device: '设备',
};

/** Each is given what stands there. */
const JSON_ERRORS: Readonly<Record<JsonError, (token: string) => string>> = {
  comma: (token) => `${token}之前缺少逗号`,
  'no-comma': (token) => `请去掉${token}之前的逗号`,
  colon: (token) => `${token}之前缺少 ":"`,
  key: (token) => `此处须为双引号中的键，现为${token}`,
  value: (token) => `此处须为值，现为${token}`,
  'end-of-object': (token) => `此处须为 "," 或 "}"，现为${token}`,
  'end-of-list': (token) => `此处须为 "," 或 "]"，现为${token}`,
  'end-of-file': (token) => `文件应在此结束，现为${token}`,
  'no-comment': (token) => `JSON 不能有注释，请去掉${token}`,
  'closing-quote': (token) => `同一行中缺少结束的双引号：${token}`,
  escape: (token) => `反斜杠须写两次：${token}`,
  unicode: (token) => `\\u 之后须有四位十六进制数字：${token}`,
  character: (token) => `制表符或控制字符须写成 \\t 或 \\u00XX：${token}`,
  symbol: (token) => `只有数字、true、false 和 null 可以不加双引号，现为${token}`,
  other: (token) => `此处不应有${token}`,
};

function suggest({ known, meant }: { known: readonly string[]; meant?: string | undefined }): string {
  return meant === undefined ? `可用的有：${known.join('、')}` : `是否应为 ${quote(meant)}？`;
}

function quote(text: string): string {
  return `"${text}"`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
