import { MAX_JSON_FILE_BYTES } from '../../../contract/limits.ts';

/**
 * What the server says most often about a wrong value, and the same in Chinese. `{}` stands for a number, a word or a text in
 * quotes. Longer sentences come before shorter ones that they begin with.
 */
const PHRASES: readonly (readonly [english: string, chinese: string])[] = [
  [' is missing: write ', ' 未填写，请写上 '],
  [' is not a known key: did you mean {}?', ' 不是可用的键，是否应为 {}？'],
  [' is not a known key: write one of ', ' 不是可用的键，可用的有：'],
  [' must not be empty', ' 不能为空'],
  [' must not have control characters', ' 不能含有控制字符'],
  [' must be one line, without control characters', ' 必须是一行文字，不能含有换行或控制字符'],
  [' must be a text', ' 须为文字'],
  [' must be true or false', ' 须为 true 或 false'],
  [' must be a whole number above 0', ' 须为大于 0 的整数'],
  [' must be a number above 0', ' 须为大于 0 的数字'],
  [' must be a whole number from {} to {}', ' 须为 {} 到 {} 之间的整数'],
  [' must be a number from {} to {}', ' 须为 {} 到 {} 之间的数字'],
  [' must be a port from {} to {}', ' 须为 {} 到 {} 之间的端口'],
  [' must be {} or {}', ' 须为 {} 或 {}'],
  [' must be a colour such as ', ' 须为颜色，例如 '],
  [' must be an object with the keys ', ' 须为对象，可用的键：'],
  [' must be a mail address', ' 须为邮箱地址'],
  [
    ' must be an absolute URL that starts with https:// or http://',
    ' 须为以 https:// 或 http:// 开头的完整网址',
  ],
  [' must be a link that starts with ', ' 须为链接，开头可以是 '],
  [' must be a time with its zone such as {}, on a day that exists', ' 须为带时区的时间，例如 {}'],
  [' must be a time such as ', ' 须为带时区的时间，例如 '],
  [' must be a host name such as {}, without scheme or port', ' 须为主机名，例如 {}，不带 http:// 和端口'],
  [' must be a host such as {}: it is no plain host', ' 须为主机，例如 {}'],
  [' must be a host such as ', ' 须为主机，例如 '],
  [' must name exactly {} hosts', ' 须恰好有 {} 个主机'],
  [' has a comma: write each host as a text of its own, such as ', ' 含有逗号，每个主机须单独填写，例如 '],
  [' has a space: write a host such as ', ' 含有空格，请只写主机，例如 '],
  [' has the port {}: write one from {} to {}', ' 的端口 {} 不可用，须为 {} 到 {}'],
  [
    ' has the scheme {}: write https://, http:// or none',
    ' 的协议 {} 不可用，请写 https:// 或 http://，或不写',
  ],
  [' has a scheme without "://": write ', ' 的协议缺少 ://，请写 '],
  [' has a path: write {} only', ' 含有多余的路径，请只写 {}'],
  [' has a query: write {} only', ' 含有多余的参数，请只写 {}'],
  [' has a fragment: write {} only', ' 含有多余的 # 部分，请只写 {}'],
  [' has a user name: write {} only', ' 含有多余的用户名，请只写 {}'],
  [' must be a path inside the site folder such as ', ' 须为站点目录内的路径，例如 '],
  [' must be an image in the site folder', ' 须为站点目录中的图片'],
  [
    `a JSON file may have at most ${MAX_JSON_FILE_BYTES.toLocaleString('en')} bytes, and this has `,
    `JSON 文件最多 ${MAX_JSON_FILE_BYTES.toLocaleString('en')} 字节，此文件的字节数为 `,
  ],
  // What kind of warning it is comes before these, in Chinese.
  ["still the demo brand's: ", ''],
  ['names that can never be reached: ', ''],
  [', or an object by language such as ', '，或按语言填写的对象，例如 '],
];
const GAP = '{}';

/** Comes before what a person has typed. */
const GOT = ', got ';
/** Comes after it. */
const NO_FILE = ': there is no such file';
const MAY_BE_LEFT_OUT = ' (the key may be left out)';

/** Puts a sentence about a fault of the site into Chinese, as far as we have the words. The rest stays English. */
export function translateFault(message: string): string {
  const [problem = ''] = message.split(GOT, 1);
  const inChinese = PHRASES.reduce(replacePhrase, problem);
  if (problem === message) return inChinese;
  const typed = cutEnd(message.slice(problem.length + GOT.length), MAY_BE_LEFT_OUT);
  const value = cutEnd(typed, NO_FILE);
  return `${inChinese}，现为 ${value}${value === typed ? '' : '：没有这个文件'}`;
}

/** Puts the Chinese phrase in the place of the English one, with what stands in its gaps. */
function replacePhrase(sentence: string, [english, chinese]: readonly [string, string]): string {
  const [start = '', ...parts] = english.split(GAP);
  const found = sentence.indexOf(start);
  if (found < 0) return sentence;
  let inChinese = chinese;
  let at = found + start.length;
  for (const part of parts) {
    const value = readValue(sentence, at);
    if (value === '' || !sentence.startsWith(part, at + value.length)) return sentence;
    inChinese = inChinese.replace(GAP, () => value);
    at += value.length + part.length;
  }
  return sentence.slice(0, found) + inChinese + sentence.slice(at);
}

/** A text in quotes, or a word or number. */
function readValue(sentence: string, start: number): string {
  let end = start;
  if (sentence[start] === '"') end = sentence.indexOf('"', start + 1) + 1;
  else while (/\w/.test(sentence[end] ?? '')) end += 1;
  return sentence.slice(start, end);
}

function cutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}
