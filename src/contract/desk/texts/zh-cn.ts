import type { DeskRefusalTexts } from './en.ts';

export const zhCN: DeskRefusalTexts = {
  refusals: {
    'editing-off': '编辑功能未开启：请以 --edit 或 WAYPOST_EDIT=on 启动门户。',
    'no-json-file': ({ path }) => `没有可以修改的 JSON 文件 ${path}。`,
    'no-file': ({ path }) => `没有文件 ${path}。`,
    'no-version': ({ number }) => `没有第 ${number} 版。`,
    'no-draft': '没有草稿：没有任何改动。',
    'already-live': '线上版本已是如此：没有任何改动。',
    'same-change': '您与他人改动了同一处：请选择保留哪一方的改动。',
    'other-change': '此草稿期间已有改动（可能来自另一个窗口）：请查看后重试。',
    'changed-since-seen': '您查看之后草稿又有改动（可能来自另一个窗口）：请查看改动后重试。',
    'changed-while-published': '发布期间草稿发生了变化：请重新查看。',
    'published-meanwhile': ({ number }) => `期间已发布第 ${number} 版：请先查看差异。`,
    'draft-too-large': ({ most, found }) =>
      `草稿中改动的文件合计最多 ${count(most)} 字节，现有 ${count(found)} 字节：请先发布，或缩小图片。`,
    'too-many-files': ({ most }) => `站点最多可有 ${most} 个文件：请先移除一些。`,
    'too-many-drafts': ({ most }) => `已有 ${most} 份草稿：请先放弃一份。`,
    'owner-keys': ({ keys }) => `只有所有者可以修改 site.json 的 ${keys.join('、')}。`,
    'has-faults': ({ faults }) => `有 ${faults} 个错误，不能上线。`,
    'took-too-long': '处理占用的时间或内存过多，已停止：请使用更小或更简单的文件。',
    busy: '服务器目前过于繁忙，请一分钟后再试。',
    'file-damaged': ({ path, hash }) => `此版本的文件 ${path} 已损坏或丢失（${hash}）。`,
    'files-missing': ({ files }) => `此版本缺少 ${files} 个文件。`,
    'file-name': ({ path, most, endings }) =>
      `文件名须为路径，例如 "images/logo.svg"：只能有字母、数字、"-"、"_" 和 "."，最多 ${most} 个字符，扩展名须为 ${endings.join('、')} 之一。现为 ${path}。`,
  },

  file: (path, reason) => `${path}：${reason}。`,
  files: {
    'other-type': ({ type }) => `它不是 ${type} 图片`,
    pixels: ({ width, height, most }) => `它有 ${width} × ${height} 像素，每边最多 ${most} 像素`,
    'svg-broken': ({ reason }) => `它不是格式正确的 XML（位置 ${/^[\d:]*\d/.exec(reason)?.[0] ?? '未知'}）`,
    'svg-doctype': '请去掉 <!DOCTYPE>，其中可能含有实体',
    'svg-instruction': ({ target }) => `请去掉 <?${target}?>`,
    'svg-root': ({ namespace }) => `第一个元素须为 <svg xmlns="${namespace}">`,
    'svg-depth': ({ most }) => `元素最多嵌套 ${most} 层`,
    'svg-style': '其样式会加载其他内容：请将所有内容放在文件之内',
    'svg-element': ({ name }) => `请去掉 <${name}>：图片不能运行或显示其他内容`,
    'svg-handler': ({ name }) => `请去掉 ${name}="…"：图片不能运行任何内容`,
    'svg-link': ({ href }) => `请去掉 href=${href}：图片不能链接到别处，也不能从别处加载`,
    'svg-loading': ({ name, value }) => `请去掉 ${name}=${value}：它会从别处加载内容`,
  },

  edit: (file, at, reason) => `${file}：${at || '此文件'} 不能修改：${reason}。`,
  edits: {
    'too-many': ({ chars, most, found }) =>
      `文件有 ${count(chars)} 个字符，一次最多修改 ${most} 个值，现有 ${found} 个`,
    'no-json': '此文件不是 JSON，请整体替换',
    'whole-file': '整个文件只能被替换',
    'no-insertion': '只有列表可以插入',
    'nothing-there': '没有可以移除的内容',
    'not-there': ({ at }) => `没有 ${at}`,
    'is-list': ({ at }) => `${at || '此文件'} 是列表`,
    'no-list': ({ at }) => `${at || '此文件'} 不是列表`,
    beyond: ({ at, items }) => `${at} 只有 ${items} 项`,
  },
};

function count(number: number): string {
  return number.toLocaleString('en');
}
