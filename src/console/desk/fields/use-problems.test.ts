import { expect, test } from 'vitest';
import { en } from '../locale/en.ts';
import { zhCN } from '../locale/zh-cn.ts';
import { sayProblem } from './use-problems.ts';

test('what a form has found wrong is told in the language that the operator reads now', () => {
  const typed = { value: 'x', problem: 'noNumber' } as const;
  expect(sayProblem(typed, en)).toBe('Write a number.');
  expect(sayProblem(typed, zhCN)).toBe('请填写数字。');
});
