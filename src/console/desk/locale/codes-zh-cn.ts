import type { DeskCode } from '../../../contract/error-codes.ts';

/** What kind of refusal a code is. The sentence that follows it is the server's. */
export const CODES_IN_CHINESE: Readonly<Record<DeskCode, string>> = {
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
  'took-too-long': '处理耗时过长，已停止',
  'desk-busy': '正在修改站点的人太多，请稍后再试',
  'version-damaged': '此版本的文件已损坏',
};
