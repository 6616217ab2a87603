import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildLine, buildTargetLine } from './build-line.ts';

const PORTS = [9900, 5569, 6899, 7730, 8866];
const rules = { ports: PORTS, random: () => 0, today: 20_772 };

describe('buildLine', () => {
  test.each([
    ['gets scheme, prefix and port', { host: 'line1.example' }, 'https://www20772.line1.example:9900'],
    ['keeps its scheme', { host: 'http://line1.example' }, 'http://www20772.line1.example:9900'],
    ['keeps its port', { host: 'line1.example:1234' }, 'https://www20772.line1.example:1234'],
    [
      'keeps the default port of its scheme',
      { host: 'https://line1.example:443' },
      'https://www20772.line1.example',
    ],
    ['keeps a www of its own', { host: 'www.line1.example' }, 'https://www.line1.example:9900'],
    ['keeps a name that starts with www', { host: 'www2.line1.example' }, 'https://www2.line1.example:9900'],
    ['has no prefix as an IPv4 address', { host: '192.0.2.7' }, 'https://192.0.2.7:9900'],
    ['has no prefix as an IPv6 address', { host: '[2001:db8::1]' }, 'https://[2001:db8::1]:9900'],
    ['is written in punycode', { host: '线路.example' }, 'https://www20772.xn--on0a042a.example:9900'],
    ['has no prefix with noWWW', { host: 'line1.example', noWWW: true }, 'https://line1.example:9900'],
    [
      'has a prefix with noWWW false',
      { host: 'line1.example', noWWW: false },
      'https://www20772.line1.example:9900',
    ],
  ])('a host %s', (_, entry, address) => {
    expect(buildLine(entry, rules)).toMatchObject({ address });
  });

  test('adds no port where none is configured', () => {
    expect(buildLine({ host: 'line1.example' }, { ...rules, ports: [] })).toMatchObject({
      address: 'https://www20772.line1.example',
    });
  });

  test('draws every port equally often', () => {
    const drawn = Array.from({ length: 500 }, (_, index) => {
      const built = buildLine({ host: 'line1.example' }, { ...rules, random: () => index / 500 });
      return 'address' in built ? Number(new URL(built.address).port) : undefined;
    });
    for (const port of PORTS) expect(drawn.filter((each) => each === port)).toHaveLength(100);
  });

  test('refuses what is no plain web host, with the reason', () => {
    expect(buildLine({ host: 'javascript:alert(1)' }, rules)).toEqual({
      kind: 'refused',
      reason: 'is no plain host',
    });
  });

  test('for any text: refuses it, or builds an address on the same host with at most the prefix added', () => {
    const random = fc.noShrink(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
    const entry = fc.oneof(fc.string({ unit: 'binary' }), fc.domain(), fc.webAuthority(), fc.webUrl());
    fc.assert(
      fc.property(entry, random, fc.boolean(), (host, draw, noWWW) => {
        const built = buildLine({ host, noWWW }, { ...rules, random: () => draw });
        if ('reason' in built) return;
        const url = new URL(built.address);
        const given = new URL(host.includes('://') ? host : `https://${host}`);
        expect(['https:', 'http:']).toContain(url.protocol);
        expect([given.hostname, `www20772.${given.hostname}`]).toContain(url.hostname);
        expect([url.username, url.password, url.pathname, url.search, url.hash]).toEqual([
          '',
          '',
          '/',
          '',
          '',
        ]);
        expect(url.origin).toBe(built.address);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('buildTargetLine', () => {
  test.each([
    ['app1.example', 'https://app1.example'],
    ['http://app1.example:8080', 'http://app1.example:8080'],
    ['192.0.2.7', 'https://192.0.2.7'],
  ])('gives %s its scheme and nothing else', (entry, address) => {
    expect(buildTargetLine(entry)).toMatchObject({ address });
  });

  test('refuses what is no plain web host', () => {
    expect(buildTargetLine('//evil.example')).toMatchObject({ kind: 'refused' });
  });
});
