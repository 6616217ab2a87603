import { domainToUnicode } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHost } from './parse-host.ts';

describe('parseHost', () => {
  test.each([
    ['line1.example', { scheme: undefined, hostname: 'line1.example', port: undefined }],
    ['LINE1.Example', { scheme: undefined, hostname: 'line1.example', port: undefined }],
    ['http://line1.example', { scheme: 'http', hostname: 'line1.example', port: undefined }],
    ['HTTPS://line1.example:443', { scheme: 'https', hostname: 'line1.example', port: 443 }],
    ['localhost:9900', { scheme: undefined, hostname: 'localhost', port: 9900 }],
    ['192.0.2.7', { scheme: undefined, hostname: '192.0.2.7', port: undefined }],
    ['http://[2001:DB8::1]:80', { scheme: 'http', hostname: '[2001:db8::1]', port: 80 }],
    ['线路.example', { scheme: undefined, hostname: 'xn--on0a042a.example', port: undefined }],
    ['xn--on0a042a.example', { scheme: undefined, hostname: 'xn--on0a042a.example', port: undefined }],
  ])('reads %j', (entry, parts) => {
    expect(parseHost(entry)).toMatchObject({ kind: 'host', ...parts });
  });

  test.each([
    ['a.example', ['A.example', 'https://a.example', 'HTTPS://A.EXAMPLE']],
    ['a.example:443', ['https://a.example:443', 'A.example:443']],
    ['http://a.example:80', ['HTTP://A.example:80']],
    ['xn--on0a042a.example', ['线路.example', 'https://XN--ON0A042A.example']],
    ['[2001:db8::1]', ['[2001:DB8:0::1]']],
  ])('knows %s however it is written', (host, entries) => {
    for (const entry of [host, ...entries]) expect(parseHost(entry)).toMatchObject({ host });
  });

  test.each([
    ['a script', 'javascript:alert(1)'],
    ['a data URL', 'data:text/html,x'],
    ['another scheme', 'ftp://line1.example'],
    ['a scheme-relative URL', '//evil.example'],
    ['user info', 'https://good.example@evil.example'],
    ['user info with a password', 'https://a:b@evil.example'],
    ['a path', 'line1.example/path'],
    ['a bare slash', 'https://line1.example/'],
    ['a query', 'line1.example?x'],
    ['a hash', 'line1.example#x'],
    ['a backslash', 'line1.example\\@evil.example'],
    ['a space inside', 'line1 .example'],
    ['a space around', ' line1.example'],
    ['a newline', 'line1.example\n'],
    ['a tab', 'line1\t.example'],
    ['a null character', 'line1\0.example'],
    ['a right-to-left override', 'line1\u202E.example'],
    ['an isolate', 'line1\u2066.example'],
    ['a soft hyphen', 'line\u00AD1.example'],
    ['a zero-width joiner', 'line\u200D1.example'],
    ['a percent escape', 'line1%2eexample'],
    ['port 0', 'line1.example:0'],
    ['a port past 65535', 'line1.example:65536'],
    ['a port of letters', 'line1.example:http'],
    ['a port with a zero in front', 'line1.example:0443'],
    ['an empty port', 'line1.example:'],
    ['two ports', 'line1.example:80:80'],
    ['an empty label', 'line1..example'],
    ['a trailing dot', 'line1.example.'],
    ['a leading hyphen', '-line1.example'],
    ['a wildcard', '*.example'],
    ['an IPv4 address in disguise', '0x7f.1'],
    ['an IPv4 address as one number', '2130706433'],
    ['full-width letters', 'ｌｉｎｅ１.example'],
    ['full-width letters beside an international label', 'ｇｏｏｄ.线路'],
    ['full-width letters inside an international label', 'ｇｏｏｄ线路.example'],
    ['mathematical letters beside an international label', '𝐠𝐨𝐨𝐝.线路'],
    ['an ideographic full stop', '线。路'],
    ['a variation selector', '线\uFE0F路.example'],
    // Browsers before 2023 visit strasse.example instead.
    ['a sharp s', 'straße.example'],
    ['an IPv6 address without brackets', '::1'],
    ['a broken IPv6 address', '[::g]'],
    ['a label of 64 characters', `${'a'.repeat(64)}.example`],
    ['a name of 254 characters', `${'a'.repeat(63)}.`.repeat(3) + 'a'.repeat(62)],
    ['nothing', ''],
    ['a scheme alone', 'https://'],
  ])('refuses %s', (_, entry) => {
    expect(parseHost(entry)).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/./) });
  });

  test('either refuses an entry, or finds nothing in it but scheme, host and port', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.domain(),
      fc.ipV6().map((address) => `[${address}]`),
      fc
        .array(
          fc.constantFrom(
            'https://',
            'http:',
            '//',
            '@',
            ':',
            '80',
            '[',
            ']',
            'a',
            '.',
            '/',
            '\\',
            '%2f',
            '\u202E',
            'é',
            '。',
          ),
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (entry) => {
        const parts = parseHost(entry);
        if (parts.kind === 'refused') return;
        const url = new URL(`${parts.scheme ?? 'https'}://${parts.hostname}:${parts.port ?? 9900}`);
        expect(url.hostname).toBe(parts.hostname);
        expect(new URL(entry.includes('://') ? entry : `https://${entry}`).hostname).toBe(parts.hostname);
        expect([url.username, url.password, url.pathname, url.search, url.hash]).toEqual([
          '',
          '',
          '/',
          '',
          '',
        ]);
      }),
      { numRuns: 5_000 },
    );
  });

  test('a name that is read is the name that a browser shows, whatever character is in it', () => {
    const character = fc.oneof(
      fc.integer({ min: 0x80, max: 0x10ffff }),
      // Where most characters are that browsers replace: letter-like, enclosed, compatible and full-width ones.
      fc.integer({ min: 0x80, max: 0x5ff }),
      fc.integer({ min: 0x2000, max: 0x33ff }),
      fc.integer({ min: 0xf900, max: 0xffef }),
      fc.integer({ min: 0x1d400, max: 0x1d7ff }),
    );
    const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff;
    const label = fc.array(
      character.filter((code) => !isSurrogate(code)).map((code) => String.fromCodePoint(code)),
      { maxLength: 2 },
    );
    fc.assert(
      fc.property(label, fc.boolean(), (characters, isInside) => {
        const text = characters.join('');
        const entry = isInside ? `线${text}路.example` : `a${text}b.线路`;
        const parts = parseHost(entry);
        if (parts.kind === 'refused') return;
        expect(domainToUnicode(parts.hostname)).toBe(entry.normalize().toLowerCase());
      }),
      { numRuns: 5_000 },
    );
  });
});
