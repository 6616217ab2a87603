import { expect, test } from 'vitest';
import type { ApiCode } from '../../contract/error-codes.ts';
import type { Failure } from './call-server.ts';
import { describeRefusal } from './describe-refusal.ts';

const refused = (code: ApiCode): Failure => ({
  kind: 'refused',
  status: 409,
  code,
  message: 'A sentence of the server.',
  details: {},
});

test('a refusal is told in the language of the console: by the view, or by what any change may meet', () => {
  const problems = { 'unknown-person': 'This person is gone.' };
  expect(describeRefusal(refused('unknown-person'), 'en', problems)).toBe('This person is gone.');
  expect(describeRefusal(refused('store-full'), 'en')).toBe(
    'Nothing was changed: the disk of the database is full.',
  );
  expect(describeRefusal(refused('role-too-low'), 'zh-CN')).toBe(
    '您的角色已无权执行此操作。请重新加载页面。',
  );
  expect(describeRefusal(refused('internal'), 'en')).toBe('This did not work. Is the portal reachable?');
  expect(describeRefusal({ kind: 'lost' }, 'zh-CN')).toBe('操作未成功。门户是否可以访问？');
});
