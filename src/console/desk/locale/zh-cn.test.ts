import { expect, test } from 'vitest';
import { zhCN } from './zh-cn.ts';

test('what the desk refuses is told in its own Chinese words, and all else by its code', () => {
  const sentences = { en: 'There is no version 3.', 'zh-CN': '没有第 3 版。' };
  expect(zhCN.say({ code: 'unknown-version', message: sentences.en, sentences })).toBe('没有第 3 版。');
  // The console's own sentences are Chinese already.
  expect(zhCN.say({ message: '请填写数字。' })).toBe('请填写数字。');
  expect(zhCN.say({ code: 'moon', message: 'The moon is full.' })).toBe('服务器没有执行此操作（moon）。');
  expect(zhCN.say({ code: 'store-full', message: 'The disk is full.' })).toMatch(/^[^a-z]+$/i);
});

test('what a line answers is told in Chinese, the warnings too', () => {
  const texts = { problem: 'does not answer', advice: 'Start it.', ports: [9900, 5569] };
  expect(zhCN.lineFault({ ...texts, code: 'timeout', fault: { kind: 'timeout' } })).toMatch(
    /^端口 9900、5569：5 秒内没有应答。/,
  );
  expect(zhCN.lineFault({ ...texts, ports: [], code: 'no-timing' })).toBe(
    '页面无法读取浏览器自身的计时。请发送“Timing-Allow-Origin: *”。',
  );
  expect(zhCN.lineFault({ ...texts, ports: [], code: 'certificate-ends-soon' })).toMatch(/^证书即将到期。/);
});
