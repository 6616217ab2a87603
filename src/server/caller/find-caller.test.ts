import { describe, expect, test } from 'vitest';
import { measureHeldBytes } from '../testing/measure-held.ts';
import { type Caller, findCaller } from './find-caller.ts';
import { createAddressRanges } from './address-ranges.ts';

const RANGES = ['10.0.0.0/8', 'fd00::/8', '192.0.2.1'];

function findAs(peerAddress: string, headers: Record<string, string> = {}, clientAddressHeader = ''): Caller {
  const rules = { proxies: createAddressRanges(RANGES), clientAddressHeader };
  return findCaller({ peerAddress, header: (name) => headers[name] }, rules);
}

function callerOf(...given: Parameters<typeof findAs>): string {
  return findAs(...given).address.text;
}

describe('without a trusted proxy', () => {
  test('the caller is the other end of the socket, whatever it says of itself', () => {
    const claims = {
      'x-forwarded-for': '1.1.1.1',
      forwarded: 'for=1.1.1.1',
      'cf-connecting-ip': '1.1.1.1',
    };
    expect(callerOf('203.0.113.9', claims, 'cf-connecting-ip')).toBe('203.0.113.9');
    expect(callerOf('::ffff:203.0.113.9', claims)).toBe('203.0.113.9');
    expect(callerOf('192.0.2.2', claims)).toBe('192.0.2.2');
  });

  test('a socket that has lost its other end belongs to nobody', () => {
    expect(callerOf('')).toBe('0.0.0.0');
  });
});

describe('behind trusted proxies', () => {
  test('X-Forwarded-For is read from the right, up to the first address that is not ours', () => {
    const forwardedFor = (list: string) => callerOf('10.0.0.1', { 'x-forwarded-for': list });
    expect(forwardedFor('203.0.113.9')).toBe('203.0.113.9');
    expect(forwardedFor('1.1.1.1, 203.0.113.9')).toBe('203.0.113.9');
    expect(forwardedFor('1.1.1.1,203.0.113.9 , 10.2.3.4, fd00::1')).toBe('203.0.113.9');
    expect(forwardedFor('203.0.113.9:4711')).toBe('203.0.113.9');
    expect(forwardedFor('[2001:db8::1]:4711')).toBe('2001:db8::1');
    expect(forwardedFor('10.9.9.9, 10.2.3.4')).toBe('10.9.9.9');
  });

  test('a list that cannot be read does not tell the caller', () => {
    const forwardedFor = (list: string) => findAs('10.0.0.1', { 'x-forwarded-for': list });
    const untold = { kind: 'untold', address: { text: '10.0.0.1', family: 'ipv4' } };
    expect(forwardedFor('203.0.113.9, unknown')).toEqual(untold);
    expect(forwardedFor('203.0.113.9, , 10.2.3.4')).toEqual(untold);
    expect(forwardedFor('203.0.113.999')).toEqual(untold);
    expect(forwardedFor('')).toEqual(untold);
    // What a client wrote left of what our proxy saw is not looked at.
    expect(forwardedFor('nonsense, 203.0.113.9')).toMatchObject({ kind: 'proxied' });
  });

  test('Forwarded is read the same way', () => {
    const forwarded = (value: string) => callerOf('fd00::9', { forwarded: value });
    expect(forwarded('for=203.0.113.9;proto=https;by=10.0.0.1')).toBe('203.0.113.9');
    expect(forwarded('for=1.1.1.1, for="[2001:db8::1]:80";proto=http, FOR=10.2.3.4')).toBe('2001:db8::1');
    for (const value of ['for=_hidden', 'by=203.0.113.9']) {
      expect(findAs('fd00::9', { forwarded: value }).kind, value).toBe('untold');
    }
  });

  test('two headers that disagree do not tell the caller: one of them came from the caller', () => {
    const both = (list: string, element: string) =>
      findAs('10.0.0.1', { 'x-forwarded-for': list, forwarded: element });
    const untold = { kind: 'untold', address: { text: '10.0.0.1', family: 'ipv4' } };
    expect(both('203.0.113.9', 'for=1.1.1.1')).toEqual(untold);
    expect(both('1.1.1.1', 'for=203.0.113.9')).toEqual(untold);
    expect(both('203.0.113.9', 'for=unknown')).toEqual(untold);
    expect(both('203.0.113.9', 'for=203.0.113.9')).toMatchObject({ kind: 'proxied' });
  });

  test('an address holds nothing of the header that it came in', () => {
    const invented = '1.1.1.1, '.repeat(900);
    const held = measureHeldBytes(() =>
      Array.from({ length: 300 }, (_, index) =>
        callerOf('10.0.0.1', {
          'x-forwarded-for': `${invented}203.113.${100 + (index >> 6)}.${100 + (index & 63)}`,
        }),
      ),
    );
    // Of more than 2 MB that were sent.
    expect(held).toBeLessThan(500_000);
  });

  test('a proxy that names nobody speaks for itself', () => {
    expect(findAs('10.0.0.1')).toEqual({ kind: 'proxy', address: { text: '10.0.0.1', family: 'ipv4' } });
  });

  test('a named header of the CDN goes before both, and must be there', () => {
    const headers = { 'cf-connecting-ip': ' 203.0.113.9', 'x-forwarded-for': '1.1.1.1' };
    expect(callerOf('192.0.2.1', headers, 'cf-connecting-ip')).toBe('203.0.113.9');
    for (const value of [undefined, '', '1.1.1.1, 203.0.113.9']) {
      const others = {
        'x-forwarded-for': '1.1.1.1',
        ...(value === undefined ? {} : { 'cf-connecting-ip': value }),
      };
      expect(findAs('192.0.2.1', others, 'cf-connecting-ip')).toMatchObject({
        kind: 'untold',
        address: { text: '192.0.2.1' },
      });
    }
  });
});
