import { describe, expect, test } from 'vitest';
import { findLinkFaults, parseLinks } from './links-config.ts';

const good = {
  ub: 'https://ub.example/',
  esb: 'http://esb.example/',
  wallet: 'https://wallet.example/',
  telegram: 'tg://resolve?domain=demo',
  service: 'mailto:help@example.com',
};

describe('parseLinks', () => {
  test('takes web links everywhere, and mail and messenger links for service and telegram', () => {
    expect(parseLinks(good)).toEqual(good);
    expect(findLinkFaults(good)).toEqual([]);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ub.example',
    '/ub',
    '',
    7,
    null,
    undefined,
    'mailto:a@example.com',
  ])('leaves %j out, names it, and keeps the others', (ub) => {
    const { ub: _, ...others } = good;
    expect(parseLinks({ ...good, ub })).toEqual(others);
    const reason =
      ub === undefined
        ? 'is missing: write "ub": "https://…"'
        : `must be a link that starts with https:, http:, got ${JSON.stringify(ub)}`;
    expect(findLinkFaults({ ...good, ub })).toEqual([{ name: 'ub', reason }]);
  });

  test('names a key that is no link', () => {
    const body = { ...good, wallett: 'https://wallet.example/' };
    expect(parseLinks(body)).toEqual(good);
    expect(findLinkFaults(body)).toEqual([
      { name: 'wallett', reason: 'is not a known link: did you mean "wallet"?' },
    ]);
  });

  test.each([null, 'x', 7, [], undefined])('takes %j for no config at all', (body) => {
    expect(parseLinks(body)).toBeUndefined();
  });
});
