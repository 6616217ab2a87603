import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAccept } from 'hono/utils/accept';
import { parse as parseCookies } from 'hono/utils/cookie';
import { checkSync } from 'recheck';
import { EMAIL_REGEX, deleteGlobalMessage, setGlobalMessage } from 'valibot';
import { type ESTree, Visitor, parseSync } from 'vite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isSoak } from '../engine/testing/tenth-of.ts';
import { parseLinks } from '../contract/site/links-config.ts';
import { parseHost } from '../contract/site/parse-host.ts';
import { readPlatform } from '../contract/site/read-platform.ts';
import { findHostname } from '../line/create-line-app.ts';
import { parseAddress } from '../server/caller/parse-address.ts';
import { parseRange } from '../server/caller/address-ranges.ts';
import { isLoopbackHost } from '../server/operator/access/is-loopback-host.ts';
import { readBearer } from '../server/operator/access/is-same-token.ts';
import { createMatchLocale } from '../server/site/create-match-locale.ts';
import { readImageSize } from '../server/site/read-image-size.ts';
import { createRecord, createSegment } from '../server/testing/intake-messages.ts';
import { createSiteFiles } from '../server/testing/site-files.ts';
import { createTestConsole } from '../server/testing/test-console.ts';
import { createTestPortal } from '../server/testing/test-portal.ts';
import { listExport } from './build/list-export.ts';
import { renderNginxConfig } from './build/render-nginx-config.ts';
import { renderNginxMaps } from './build/render-nginx-maps.ts';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));
const CHECKED = fileURLToPath(new URL('linear-regexes.txt', import.meta.url));

type Regex = { readonly place: string; readonly pattern: string; readonly flags: string };

describe('every regular expression', () => {
  test('of the sources takes time that grows no faster than its input', { timeout: 300_000 }, async () => {
    const regexes = await listRegexes();
    expect(regexes.length).toBeGreaterThan(40);
    // Some are written in several places. Without a repetition, none is slow.
    const repeating = regexes.filter(({ pattern }) => /[*+{]/.test(pattern));
    const distinct = new Map(repeating.map((regex) => [`/${regex.pattern}/${regex.flags}`, regex]));
    // The checker needs half a minute for all of them, so that only those are checked that were not before.
    const checked = isSoak() ? [] : (await readFile(CHECKED, 'utf8')).split('\n');
    for (const known of checked) distinct.delete(known);
    expect([...distinct.values()].filter(isSlow).map(describeRegex)).toEqual([]);
    const lines = new Set(repeating.map(({ pattern, flags }) => `/${pattern}/${flags}`));
    // Write the list anew with `npx vitest run linear-time -u`, which checks what is new in it.
    await expect(`${[...lines].toSorted().join('\n')}\n`).toMatchFileSnapshot(CHECKED);
  });

  test('of the nginx config that a build writes, and of the mail addresses, does too', async () => {
    const { site } = await createTestPortal();
    const { pages } = listExport(site, new Map());
    const texts = [renderNginxConfig(pages, ''), renderNginxMaps(pages, 'zh-CN')];
    const patterns = texts.flatMap((text) =>
      [...text.matchAll(/(?:"~|location ~ "|~)(\*?)\s*([(^][^"\n]*?)(?:" |"$| \{| {2}|\$ )/gm)].map(
        ([, star, pattern = '']) => ({ place: 'nginx', pattern, flags: star === '*' ? 'i' : '' }),
      ),
    );
    expect(patterns.length).toBeGreaterThan(12);
    const mail = { place: 'valibot', pattern: EMAIL_REGEX.source, flags: EMAIL_REGEX.flags };
    expect([...patterns, mail].filter(isSlow).map(describeRegex)).toEqual([]);
  });

  test('would be found if it did not', () => {
    const isFound = (pattern: string) => isSlow({ place: 'here', pattern, flags: '' });
    expect(['\\s*;\\s*q=', '\\/+$', '(a+)+$'].map(isFound)).toEqual([true, true, true]);
  });
});

/** A function that takes the square of its input's length would need minutes for each of these. */
const LENGTH = 300_000;
const WORST =
  [' ', ',', ', ', '.', ':', ';', '; ', '"', '[', '/', '%', '=', '-', 'a', '1', 'a b', 'a.', '1.', 'for=', 'proto', ';q=', '<svg', '?', '~', 'www1', 'Mac'] // prettier-ignore
    .map((piece) => piece.repeat(LENGTH / piece.length));
const STARTS = ['', 'x', 'https://', 'for="', 'zh', 'br', 'Bearer ', 'waypost.lang=', '1.1.1.1', 'W/"'];

describe('input of 300,000 of its worst characters', () => {
  test.each<[string, (text: string) => unknown]>([
    ['parseAccept', parseAccept],
    ['parseCookies', (text) => parseCookies(text, 'waypost.lang')],
    ['parseAddress', parseAddress],
    ['readPlatform', readPlatform],
    ['parseRange', parseRange],
    ['parseHost', parseHost],
    ['parseLinks', (text) => parseLinks({ ub: text, service: text })],
    ['createMatchLocale', createMatchLocale(['zh-CN', 'zh-TW', 'en'])],
    ['readBearer', readBearer],
    ['isLoopbackHost', isLoopbackHost],
    ['findHostname', findHostname],
    ['readImageSize', (text) => readImageSize(Buffer.from(text))],
  ])('is read by %s in time', (_name, parse) => {
    const texts = STARTS.flatMap((start) => WORST.map((middle) => `${start}${middle}y`));
    expect(() => {
      for (const text of texts) parse(text);
    }).not.toThrow();
  });

  // Together where one does not keep another from being read: a request with a bad host is not looked at any further.
  test.each([
    [
      [
        'accept-encoding',
        'accept-language',
        'cookie',
        'if-none-match',
        'x-forwarded-for',
        'x-forwarded-proto',
        'forwarded',
        'realuseraddr',
        'realuserid',
        'x-country',
      ],
    ],
    [['host']],
    [['x-client']],
  ])('in the headers %j is answered in time', async (names) => {
    const files = await createSiteFiles((config) => {
      const network = { trustedProxies: ['203.0.113.0/24'], countryHeader: 'x-country' };
      const client = names.includes('x-client') ? { clientAddressHeader: 'x-client' } : {};
      Object.assign(config, { network: { ...network, ...client } });
    });
    const { ask } = await createTestPortal({ files });
    for (const middle of WORST) {
      for (const value of [`x${middle}y`, `for=${middle}"`, `1.1.1.1${middle}`]) {
        const headers = Object.fromEntries(names.map((name) => [name, value]));
        for (const path of ['/', '/api/hostnames']) {
          expect((await ask(path, { headers })).status).toBeLessThan(500);
        }
      }
    }
  });

  test.each([[['authorization', 'cookie', 'origin']], [['host']]])(
    'in the headers %j of the console is answered in time',
    async (names) => {
      const { ask } = await createTestConsole({ token: 'a token of the operator' });
      for (const middle of WORST) {
        const headers = Object.fromEntries(names.map((name) => [name, `Bearer ${middle}y`]));
        expect((await ask('/', { headers })).status).toBeLessThan(500);
        expect((await ask('/logout', { method: 'POST', headers })).status).toBeLessThan(500);
      }
    },
  );
});

/** Items that are wrong in several ways. The count fills the body of a visitor's request. */
const makeItems = (count: number) => Array.from({ length: count }, () => ({}));

describe('a body of a visitor', () => {
  test.each([
    ['/api/measurements', { ticket: 'x', results: makeItems(600), entered: null }],
    ['/api/events', { device: 'pc', language: 'en', referrer: '', steps: makeItems(1_200) }],
    ['/api/intake', { ...createRecord(), enteredLines: makeItems(5_000) }],
    ['/api/intake', { ...createSegment(), events: makeItems(19_000) }],
  ])('to %s is looked at up to its first fault', async (path, body) => {
    const files = await createSiteFiles((config) => {
      Object.assign(config, { analytics: { counts: 'self' }, monitoring: { intakeUrl: 'self' } });
    });
    const { ask } = await createTestPortal({ files, recordings: { take: () => 'taken' } });
    let faults = 0;
    setGlobalMessage(() => String((faults += 1)));
    onTestFinished(() => deleteGlobalMessage());
    expect((await ask(path, { method: 'POST', body: JSON.stringify(body) })).text).toContain('-invalid"');
    // Not to be one of the other messages to the intake is a fault, too.
    expect(faults).toBeLessThanOrEqual(2);
  });
});

function isSlow({ pattern, flags }: Regex): boolean {
  // The same result each time, on a busy machine too: the checker goes by a seed, and by the steps that it counts.
  const { status } = checkSync(pattern, flags, {
    randomSeed: 1,
    timeout: null,
    attackTimeout: null,
    incubationTimeout: null,
  });
  return status !== 'safe';
}

function describeRegex({ place, pattern, flags }: Regex): string {
  return `${place}: /${pattern}/${flags}`;
}

/** Those of the tests are left out: they meet what the tests themselves wrote. */
async function listRegexes(): Promise<readonly Regex[]> {
  const names = await readdir(SOURCES, { recursive: true });
  const sources = names.filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$|\btesting\b/.test(name));
  const found = await Promise.all(sources.map((name) => readRegexes(name)));
  return found.flat();
}

async function readRegexes(name: string): Promise<readonly Regex[]> {
  const { program } = parseSync(name, await readFile(join(SOURCES, name), 'utf8'));
  const found: Regex[] = [];
  new Visitor({
    Literal: (node) => {
      if ('regex' in node) found.push({ place: name, ...node.regex });
    },
    NewExpression: refuseRegExp,
    CallExpression: refuseRegExp,
  }).visit(program);
  return found;

  /** What is put together while the program runs cannot be checked here. */
  function refuseRegExp({ callee }: ESTree.NewExpression | ESTree.CallExpression): void {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return;
    throw new Error(`${name}: write a literal instead of RegExp(…)`);
  }
}
