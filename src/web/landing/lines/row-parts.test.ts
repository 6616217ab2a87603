import { expect, test } from 'vitest';
import type { Row } from '../../../engine/board/describe-rows.ts';
import { linkAttributes } from './row-parts.ts';

const row: Row = {
  number: 2,
  host: 'a.example',
  address: 'https://www20000.a.example:9900',
  isBackup: false,
  speed: { key: 'testing' },
  cause: undefined,
  isFastest: false,
};

const given = (change: Partial<Row>) =>
  Object.fromEntries(Object.entries(linkAttributes({ ...row, ...change })).filter(([, value]) => value));

test('a row with an address is a link into a new tab, which says what it is for the analytics', () => {
  const link = {
    href: row.address,
    target: '_blank',
    rel: 'noopener',
    'data-event': 'official_line',
    'data-line': 2,
  };
  expect(given({})).toEqual(link);
  expect(given({ cause: 'timeout' })).toEqual(link);
});

test('a row without an address, of the wrong server, or in doubt, is a disabled link that leads nowhere', () => {
  const disabled = { role: 'link', 'aria-disabled': true };
  expect(given({ address: undefined })).toEqual(disabled);
  expect(given({ cause: 'wrong-server' })).toEqual(disabled);
  expect(given({ isInDoubt: true })).toEqual(disabled);
});
