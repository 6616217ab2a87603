import {
  type DeskCode,
  SITE_CODES_IN_CHINESE,
  type SiteCode,
  type WarningCode,
} from '../../../contract/error-codes.ts';

/** What kind of fault a code is. The sentence that follows it is the server's, see `translateFault`. */
export const CODES_IN_CHINESE: Readonly<Record<SiteCode | WarningCode | DeskCode, string>> = {
  ...SITE_CODES_IN_CHINESE,
  'demo-content': '仍是演示内容',
  'unreachable-name': '访客可能打不开这个名称',
  'missing-texts': '缺少文案',
  'unknown-placeholder': '花括号中的名称无法识别',
  'low-contrast': '对比度不足',
  'editing-off': '编辑功能未开启',
  'body-too-large': '内容过大',
  'edit-refused': '不能这样修改',
  'file-refused': '不能使用这个文件',
  'owner-required': '只有所有者可以发布这些改动',
  'unknown-version': '没有这个版本',
  'unknown-file': '没有这个文件',
  'nothing-changed': '没有任何改动',
  'version-conflict': '期间已有其他人发布',
  'draft-conflict': '双方都改动了同一处',
  'draft-changed': '草稿已在别处被修改，请重试',
  'draft-full': '草稿已满',
  'draft-invalid': '草稿有错误，不能发布',
  'version-damaged': '此版本的文件已损坏',
  'data-folder': '服务器无法写入数据目录',
  'data-in-use': '数据目录正被占用',
  'redis-away': 'Redis 无法连接，暂时不能修改',
  'replica-behind': '其他门户发布的版本在本机无法使用',
};
