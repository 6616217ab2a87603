import { describe, expect, test } from 'vitest';
import { parseLinks } from './links-config.ts';

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
  ])('leaves %j out, and keeps the others', (ub) => {
    const { ub: _, ...others } = good;
    expect(parseLinks({ ...good, ub })).toEqual(others);
  });

  test.each([null, 'x', 7, [], undefined])('takes %j for no config at all', (body) => {
    expect(parseLinks(body)).toBeUndefined();
  });
});
