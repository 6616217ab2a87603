import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nameCaller, namePrefix, nameWidePrefix, parseAddress } from './parse-address.ts';
import { parseRange } from './address-ranges.ts';

describe('an address', () => {
  test('has one canonical text, however it is written', () => {
    const forms = ['2001:DB8::1', '[2001:db8:0:0::1]', '2001:db8::1%eth0', '[2001:db8::0001]:443'];
    for (const form of forms) expect(parseAddress(form)?.text, form).toBe('2001:db8::1');
    for (const form of ['1.2.3.4', '1.2.3.4:80', '::ffff:1.2.3.4', '[::ffff:102:304]:80']) {
      expect(parseAddress(form), form).toEqual({ text: '1.2.3.4', family: 'ipv4' });
    }
  });

  test('is nothing else', () => {
    for (const text of [
      '',
      'localhost',
      '1.2.3',
      '1.2.3.4.5',
      '[1.2.3.4]',
      '0x7f.1',
      '::g',
      ':::',
      '1.2.3.4:x',
      '[::1',
    ]) {
      expect(parseAddress(text), text).toBeUndefined();
    }
  });

  test('of any kind is read back as itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const canonical = parseAddress(text)?.text ?? '';
        expect(parseAddress(canonical)?.text).toBe(canonical);
        expect(parseAddress(`[${canonical}]:80`)?.text ?? canonical).toBe(canonical);
      }),
    );
  });

  test('that makes no sense never throws', () => {
    expect(() => fc.assert(fc.property(fc.string(), (text) => void parseAddress(text)))).not.toThrow();
  });
});

test.each([
  ['203.0.113.9', '203.0.113.9', '203.0.113', '203.0'],
  ['2001:db8::1', '2001:db8:0:0', '2001:db8:0', '2001:db8'],
  ['::1', '0:0:0:0', '0:0:0', '0:0'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4', '1:2:3', '1:2'],
])('%s is the caller %s, in the prefix %s and the wide prefix %s', (text, caller, prefix, wide) => {
  const address = parseAddress(text) ?? expect.fail('it is an address');
  expect([nameCaller(address), namePrefix(address), nameWidePrefix(address)]).toEqual([caller, prefix, wide]);
});

describe('a range', () => {
  test('is an address with as many bits as its family has', () => {
    expect(parseRange('10.0.0.0/8')).toMatchObject({ bits: 8 });
    expect(parseRange('10.0.0.1')).toMatchObject({ bits: 32 });
    expect(parseRange('fd00::/8')).toMatchObject({ bits: 8 });
    for (const text of [
      '10.0.0.0/33',
      '10.0.0/8',
      'fd00::/129',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0.1:80',
      'any',
      '',
    ]) {
      expect(parseRange(text), text).toBeUndefined();
    }
  });
});
