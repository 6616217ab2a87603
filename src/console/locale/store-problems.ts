import type { ConsoleLanguage } from '../../contract/console-language.ts';
import type { StoreCode } from '../../contract/error-codes.ts';

/** What any change may meet: the database cannot take it. */
export const STORE_PROBLEMS: Readonly<Record<ConsoleLanguage, Readonly<Record<StoreCode, string>>>> = {
  en: {
    'store-away': 'Nothing was changed: the database is away. Try again later.',
    'store-full': 'Nothing was changed: the disk of the database is full.',
    'store-uncertain':
      'The database did not answer in time: the change may have been made. Look again before you repeat it.',
  },
  'zh-CN': {
    'store-away': '没有任何更改：数据库暂时无法使用。请稍后再试。',
    'store-full': '没有任何更改：数据库所在的磁盘已满。',
    'store-uncertain': '数据库未及时响应：更改可能已经生效。请先查看，再决定是否重试。',
  },
};
