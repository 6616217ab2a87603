import type { ConsoleLanguage, InConsoleLanguages } from '../../contract/console-language.ts';
import type { ApiCode, StoreCode } from '../../contract/error-codes.ts';
import type { Failure } from './call-server.ts';

/** What the calls of a view may be refused for, by its code. */
export type Problems = Readonly<Partial<Record<ApiCode, string>>>;

/** What any change may be refused for: the database cannot take it, or somebody has changed the operator's role. */
export const COMMON_PROBLEMS: InConsoleLanguages<Readonly<Record<StoreCode | 'role-too-low', string>>> = {
  en: {
    'store-away': 'Nothing was changed: the database is away. Try again later.',
    'store-full': 'Nothing was changed: the disk of the database is full.',
    'store-uncertain':
      'The database did not answer in time: the change may have been made. Look again before you repeat it.',
    'role-too-low': 'Your role may not do this any more. Load the page again.',
  },
  'zh-CN': {
    'store-away': '没有任何更改：数据库暂时无法使用。请稍后再试。',
    'store-full': '没有任何更改：数据库所在的磁盘已满。',
    'store-uncertain': '数据库未及时响应：更改可能已经生效。请先查看，再决定是否重试。',
    'role-too-low': '您的角色已无权执行此操作。请重新加载页面。',
  },
};

const FAILED: InConsoleLanguages = {
  en: 'This did not work. Is the portal reachable?',
  'zh-CN': '操作未成功。门户是否可以访问？',
};

/** Says why the server did not do what it was asked. The view knows what only its own calls are refused for. */
export function describeRefusal(
  failure: Failure,
  language: ConsoleLanguage,
  problems: Problems = {},
): string {
  if (failure.kind !== 'refused') return FAILED[language];
  const known: Problems = { ...COMMON_PROBLEMS[language], ...problems };
  return known[failure.code] ?? FAILED[language];
}
