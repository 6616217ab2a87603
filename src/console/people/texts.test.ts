import { expect, test } from 'vitest';
import { AUDIT_ACTIONS } from '../../contract/people.ts';
import { describeDeed } from './audit-view.tsx';
import { en, zhCN } from './texts.ts';

const HAN = /\p{Script=Han}/u;

test('every deed is told in both languages, with the same names', () => {
  for (const action of AUDIT_ACTIONS) {
    const entry = { at: 0, by: 'mei', action, to: 'li.wei', detail: 'owner' };
    const [english, chinese] = [describeDeed(entry, en), describeDeed(entry, zhCN)];
    expect(english).not.toMatch(HAN);
    expect(chinese).toMatch(HAN);
    expect(chinese.includes('li.wei')).toBe(english.includes('li.wei'));
    expect(chinese.includes('所有者')).toBe(english.includes('Owner'));
  }
});

test('a deed of which nobody knows whether it took effect is told as such', () => {
  const entry = { at: 0, by: 'mei', action: 'removed', to: 'li.wei', isUncertain: true } as const;
  expect(describeDeed(entry, en)).toBe('removed li.wei (not known whether it took effect)');
  expect(describeDeed(entry, zhCN)).toBe('移除了 li.wei（不确定是否已生效）');
});

test('a version is named in the reader’s language, and an empty reason leaves no colon', () => {
  const published = { at: 0, by: 'mei', action: 'published', to: 'version 3', detail: '' } as const;
  const restored = { ...published, action: 'rolled-back', detail: 'as version 4' } as const;
  expect(describeDeed(published, en)).toBe('published version 3');
  expect(describeDeed({ ...published, detail: 'new colours' }, zhCN)).toBe('发布了第 3 版：new colours');
  expect(describeDeed(restored, zhCN)).toBe('恢复了第 3 版，成为第 4 版');
});

test('an erasure names its day in the reader’s language', () => {
  const erased = { at: 0, by: 'mei', action: 'recordings-erased', to: 'before 2026-01-06' } as const;
  expect(describeDeed(erased, zhCN)).toBe('删除了录像：2026-01-06 之前的全部录像');
});

test('a problem that is told in one language is told in the other', () => {
  expect(Object.keys(zhCN.problems)).toEqual(Object.keys(en.problems));
  for (const text of Object.values(zhCN.problems)) expect(text).toMatch(HAN);
  for (const text of Object.values(en.problems)) expect(text).not.toMatch(HAN);
});
