import { expect, test } from 'vitest';
import { en } from '../locale/en.ts';
import { zhCN } from '../locale/zh-cn.ts';
import { sayBeside, sayProblem } from './use-problems.ts';

test('what a form has found wrong is told in the language that the operator reads now', () => {
  const typed = { value: 'x', problem: 'noNumber' } as const;
  expect(sayProblem(typed, en)).toBe('Write a number.');
  expect(sayProblem(typed, zhCN)).toBe('请填写数字。');
});

test('beside its field, a fault has no path', () => {
  const sentences = {
    en: 'lines.ports[1] must be a port, got 0',
    'zh-CN': 'lines.ports[1] 须为端口，现为 0',
  };
  const fault = {
    code: 'invalid-value',
    place: { file: 'site.json', path: ['lines', 'ports', 1] },
    sentences,
  } as const;
  expect(sayBeside(fault, en)).toBe('This must be a port, got 0');
  expect(sayBeside(fault, zhCN)).toBe('此项须为端口，现为 0');
  expect(sayBeside({ ...fault, place: { file: 'site.json', path: [] } }, en)).toBe(sentences.en);
});
