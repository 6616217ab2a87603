import { describe, expect, test } from 'vitest';
import { createRandom } from '../../engine/testing/create-random.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import { type TestPortal, createTestPortal } from '../testing/test-portal.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
/** By the second number of the address. */
const COUNTRIES: Readonly<Record<string, string>> = { 1: 'SG', 2: 'GB' };
const SYSTEMS: Readonly<Record<string, number>> = { 1: 64_500, 2: 64_501 };

type Rules = Readonly<Record<string, object>>;
type Settings = { readonly lines?: object; readonly changes?: object };

const opened = new Map<string, Promise<TestPortal>>();

/** A portal with eight lines, some of which have rules. Tests that teach it nothing share it. */
function openPortal(rules: Rules, settings: Settings = {}): Promise<TestPortal> {
  const key = JSON.stringify([rules, settings]);
  const portal = opened.get(key) ?? openNewPortal(rules, settings);
  opened.set(key, portal);
  return portal;
}

async function openNewPortal(rules: Rules, { lines = {}, changes = {} }: Settings = {}): Promise<TestPortal> {
  const files = await createSiteFiles((config) => {
    const hosts = NAMES.map((name) => ({ host: `${name}.example`, ...rules[name] }));
    Object.assign(config.lines as object, { hosts, ...lines });
    Object.assign(config, {
      limits: { apiPerMinute: 100_000, reportsPerNetwork: 100_000 },
      network: { mmdb: 'x.mmdb', trustedProxies: ['10.0.0.0/8'] },
      ...changes,
    });
  });
  const secondOf = (text: string): string => text.split('.')[1] ?? '';
  return createTestPortal({
    files,
    random: createRandom(11),
    addressDatabase: {
      countryOf: ({ text }) => COUNTRIES[secondOf(text)],
      systemOf: ({ text }) => SYSTEMS[secondOf(text)],
    },
  });
}

type Asking = { readonly from?: string; readonly cookie?: string | undefined; readonly url?: string };

/** How many of fifty visitors are handed each line, by its name. */
async function countHanded(
  portal: TestPortal,
  { from = '198.1.0.7', cookie, url = '/api/hostnames' }: Asking = {},
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let visitor = 0; visitor < 50; visitor += 1) {
    const { text } = await portal.ask(url, { from, headers: cookie === undefined ? {} : { cookie } });
    const handed = new Set([...text.matchAll(/\b([a-h])\.example\b/g)].map(([, name = '']) => name));
    for (const name of handed) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** The lines that nobody of fifty visitors is handed. */
async function findWithheld(portal: TestPortal, asking: Asking): Promise<string> {
  const counts = await countHanded(portal, asking);
  return NAMES.filter((name) => !counts.has(name)).join('');
}

describe('a line that is for some visitors only', () => {
  const RULES = {
    a: { countries: { only: ['SG'] } },
    b: { countries: { not: ['SG'], only: [] } },
    c: { networks: { only: ['AS64500'] } },
    d: { networks: { not: ['AS64500', '203.0.113.0/24'] } },
    e: { networks: { only: ['198.0.0.0/8', '2001:db8::/32'] } },
  };

  test.each([
    ['of its country and network', '198.1.0.7', 'bd'],
    ['of another country and network', '198.2.0.7', 'ac'],
    ['of a range that it excludes', '203.0.113.9', 'acde'],
    ['of the next range', '203.0.114.9', 'ace'],
    ['of a range of IPv6', '2001:db8::7', 'ac'],
    ['of whom only the proxy is known', '10.1.0.7', 'ace'],
  ])('is withheld from all visitors %s but those', async (_, from, withheld) => {
    const portal = await openPortal(RULES);
    expect(await findWithheld(portal, { from })).toBe(withheld);
  });

  test('is withheld where lines are drawn by weight, and in a document that carries its start', async () => {
    const [drawn, inline] = await Promise.all([
      openPortal(RULES, { lines: { steering: 'uniform' } }),
      openPortal(RULES, { changes: { start: 'inline' } }),
    ]);
    expect(await findWithheld(drawn, { from: '198.1.0.7' })).toBe('bd');
    for (const url of ['/', '/r']) expect(await findWithheld(inline, { from: '198.1.0.7', url })).toBe('bd');
  });

  test('is withheld although no other line is left, or all are down: fallback hosts fill the rows', async () => {
    const portal = await openNewPortal(Object.fromEntries(NAMES.map((name) => [name, RULES.a])));
    portal.steering.setDown(new Set(portal.site.lines.lines.map(({ id }) => id)));
    const { status, text } = await portal.ask('/api/hostnames', { from: '198.2.0.7' });
    expect([status, text]).toEqual([200, '[]']);
    expect(await findWithheld(portal, { from: '198.1.0.7' })).toBe('');
  });
});

/** A visitor is handed lines, and reports that they entered this one. Returns the cookie that they get. */
async function enter(
  portal: TestPortal,
  name: string,
  { from = '198.1.0.7', isEncrypted = false } = {},
): Promise<string | undefined> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { text, headers } = await portal.ask('/api/hostnames', { from });
    const entered = (JSON.parse(text) as string[]).indexOf(`${name}.example`);
    if (entered === -1) continue;
    const report = { ticket: headers['waypost-ticket'], results: [], entered };
    const answer = await portal.ask('/api/measurements', {
      method: 'POST',
      from,
      isEncrypted,
      body: JSON.stringify(report),
    });
    expect(answer.status).toBe(204);
    return answer.headers['set-cookie'];
  }
  throw new Error(`line ${name} was handed to nobody`);
}

const sent = (setCookie = ''): string => setCookie.split(';')[0] ?? '';

/** Teaches the portal how long lines take for visitors of one network; 200 ms where nothing else is said. */
async function teach(portal: TestPortal, times: Readonly<Record<string, number>>): Promise<void> {
  const { lines } = portal.site.lines;
  for (let window = 0; window < 20; window += 1) {
    for (let visitor = 0; visitor < 20; visitor += 1) {
      portal.measurements.countReport({
        area: 'SG/AS64500',
        prefix: `198.1.${visitor}`,
        lineIds: lines.map(({ id }) => id),
        results: NAMES.map((name, index) => ({ index, outcome: 'valid' as const, time: times[name] ?? 200 })),
        entered: null,
      });
    }
    portal.clock.now += 10_000;
    await portal.measurements.foldWindows();
  }
}

describe('sticky lines', () => {
  const STICKY = { lines: { sticky: true } };

  test('a visitor who comes back is handed the line that they entered, and others take turns as before', async () => {
    const portal = await openPortal({}, STICKY);
    const cookie = sent(await enter(portal, 'c'));
    const returning = await countHanded(portal, { cookie });
    expect(returning.get('c')).toBe(50);
    expect([...returning.values()].reduce((sum, count) => sum + count, 0)).toBe(200);
    expect((await countHanded(portal)).get('c')).toBeLessThan(45);
  });

  test('the cookie names the line and nothing else: all who entered it have the same', async () => {
    const portal = await openPortal({}, STICKY);
    const first = await enter(portal, 'c');
    expect(first).toMatch(
      /^waypost\.line=[\w-]{8}\.[\w-]{22}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(await enter(portal, 'c', { from: '198.2.9.9' })).toBe(first);
    expect(await enter(portal, 'd')).not.toBe(first);
    expect(await enter(portal, 'c', { isEncrypted: true })).toBe(
      first?.replace('; HttpOnly', '; HttpOnly; Secure'),
    );
    // Replicas have the same secret.
    const replica = await openNewPortal({}, STICKY);
    expect((await countHanded(replica, { cookie: sent(first) })).get('c')).toBe(50);
  });

  test('a line that is worse than the best by more than 50 ms, or a fifth if that is more, is not kept', async () => {
    const portal = await openNewPortal({}, STICKY);
    const [near, far] = [sent(await enter(portal, 'c')), sent(await enter(portal, 'd'))];
    await teach(portal, { a: 100, c: 140, d: 160 });
    expect((await countHanded(portal, { cookie: near })).get('c')).toBe(50);
    expect((await countHanded(portal, { cookie: far })).get('d') ?? 0).toBeLessThan(50);
    const slow = await openNewPortal({}, STICKY);
    await teach(slow, { a: 1_000, b: 2_000, c: 1_150, d: 1_300, e: 2_000, f: 2_000, g: 2_000, h: 2_000 });
    // 1,150 is within a fifth of 1,000, although it is more than 50 ms worse.
    expect((await countHanded(slow, { cookie: near })).get('c')).toBe(50);
  });

  test('a document that carries its start keeps to it, too', async () => {
    const portal = await openPortal({}, { ...STICKY, changes: { start: 'inline' } });
    const cookie = sent(await enter(portal, 'c'));
    expect((await countHanded(portal, { cookie, url: '/r' })).get('c')).toBe(50);
  });

  test.each([
    ['was made up', (cookie: string) => `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`],
    ['names another line with the same signature', (cookie: string) => cookie.replace(/=.{8}/, '=AAAAAAAA')],
    ['is no cookie of ours', () => 'waypost.line=%00; waypost.line'],
  ])('a cookie that %s changes nothing', async (_, change) => {
    const portal = await openPortal({}, STICKY);
    const cookie = change(sent(await enter(portal, 'c')));
    expect((await countHanded(portal, { cookie })).get('c')).toBeLessThan(45);
  });

  test('nobody gets a cookie for a fallback host, and nobody where the site folder does not say so', async () => {
    const portal = await openPortal({}, STICKY);
    const { headers } = await portal.ask('/api/hostnames', { from: '198.1.0.7' });
    const report = { ticket: headers['waypost-ticket'], results: [], entered: 5 };
    const answer = await portal.ask('/api/measurements', {
      method: 'POST',
      from: '198.1.0.7',
      body: JSON.stringify(report),
    });
    expect([answer.status, answer.headers['set-cookie']]).toEqual([204, undefined]);
    const plain = await openPortal({});
    expect(await enter(plain, 'c')).toBeUndefined();
    const cookie = sent(await enter(portal, 'c'));
    expect((await countHanded(plain, { cookie })).get('c')).toBeLessThan(45);
  });

  test('answers that depend on the cookie are kept by no cache', async () => {
    const portal = await openPortal({}, { ...STICKY, changes: { start: 'inline' } });
    for (const url of ['/api/hostnames', '/', '/r']) {
      expect((await portal.ask(url)).headers['cache-control']).toContain('no-store');
    }
  });
});

describe('a drained line', () => {
  test('is handed to nobody new, and visitors who entered it before keep it', async () => {
    const cookie = sent(await enter(await openPortal({}, { lines: { sticky: true } }), 'c'));
    const portal = await openPortal({ c: { drain: true } }, { lines: { sticky: true } });
    expect(await findWithheld(portal, {})).toBe('c');
    expect((await countHanded(portal, { cookie })).get('c')).toBe(50);
    const forgetful = await openPortal({ c: { drain: true } });
    expect(await findWithheld(forgetful, { cookie })).toBe('c');
  });

  test('is handed to nobody in maintenance, or whom its rules exclude', async () => {
    const cookie = sent(await enter(await openPortal({}, { lines: { sticky: true } }), 'c'));
    const maintained = { drain: true, maintenance: [{ reason: 'new disks' }] };
    for (const rule of [maintained, { countries: { not: ['SG'] } }]) {
      const portal = await openPortal({ c: rule }, { lines: { sticky: true } });
      expect(await findWithheld(portal, { cookie })).toBe('c');
    }
  });
});
