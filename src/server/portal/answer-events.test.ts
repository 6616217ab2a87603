import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSiteFiles } from '../testing/site-files.ts';
import { type TestPortal, createTestPortal } from '../testing/test-portal.ts';

const BATCH = {
  device: 'mobile',
  language: 'en',
  referrer: 'search.example',
  steps: ['page_view', 'links_loaded', 'first_row', 'entered'],
  events: { retest: 2, official_line: 1 },
  lines: { 'a.example': 1 },
  vitals: { LCP: 2_400, CLS: 0.02 },
};

const HOSTS = Array.from({ length: 9 }, (_, index) => `line${index}.example`);

async function openPortal(
  change: Record<string, unknown> = {},
  hosts: readonly unknown[] = ['a.example', 'b.example'],
): Promise<TestPortal> {
  const files = await createSiteFiles((config) => {
    Object.assign(config.lines as object, { hosts });
    Object.assign(config, { analytics: { counts: 'self' } }, change);
  });
  return createTestPortal({ files });
}

async function post({ ask }: TestPortal, body: unknown, from?: string, headers = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await ask('/api/events', { method: 'POST', body: text, headers, ...(from ? { from } : {}) });
  const { error } = JSON.parse(answer.text || '{}') as { error?: { code: string } };
  return { status: answer.status, code: error?.code };
}

/** All that was counted, by the name of its cell. */
function readCells({ counted }: TestPortal): Record<string, number> {
  return Object.fromEntries(counted);
}

describe('POST /api/events', () => {
  const shared = openPortal();

  test('counts nothing that a page of another site sends with the browsers of its visitors', async () => {
    const portal = await openPortal();
    const from = (sender: string) => post(portal, BATCH, undefined, { 'sec-fetch-site': sender });
    expect(await from('cross-site')).toEqual({ status: 403, code: 'foreign-origin' });
    expect(await from('same-site')).toEqual({ status: 403, code: 'foreign-origin' });
    expect(readCells(portal)).toEqual({});
    expect((await from('same-origin')).status).toBe(204);
  });

  test('counts a batch by device, language, country, line and referrer, and nothing else of the caller', async () => {
    const portal = await openPortal({
      network: { trustedProxies: ['10.0.0.0/8'], countryHeader: 'x-country' },
    });
    const headers = { 'x-forwarded-for': '198.51.100.7', 'x-country': 'SG' };
    expect(await post(portal, BATCH, '10.0.0.1', headers)).toEqual({ status: 204, code: undefined });
    const steps = ['page_view', 'links_loaded', 'first_row', 'entered'];
    expect(readCells(portal)).toEqual({
      ...Object.fromEntries(
        steps.flatMap((step) => [
          [`step/${step}`, 1],
          [`device/${step}/mobile`, 1],
          [`language/${step}/en`, 1],
          [`country/${step}/SG`, 1],
        ]),
      ),
      'referrer/search.example': 1,
      'event/mobile/retest': 2,
      'event/mobile/official_line': 1,
      'event-language/retest/en': 2,
      'event-language/official_line/en': 1,
      'event-country/retest/SG': 2,
      'event-country/official_line/SG': 1,
      'line/a.example': 1,
      'vital/LCP/2500': 1,
      'vital/CLS/0.025': 1,
    });
    expect(await portal.readMetrics()).toContain('waypost_visit_batches_total{verdict="accepted"} 1');
  });

  test('counts views of /r and /t, and clicks on controls that the page tag is not told of', async () => {
    const portal = await openPortal();
    expect(await post(portal, { page: '/r' })).toEqual({ status: 204, code: undefined });
    await post(portal, { page: '/t' });
    await post(portal, { ...BATCH, steps: [], events: { download: 2 }, lines: {}, vitals: undefined });
    expect(readCells(portal)).toMatchObject({ 'page/r': 1, 'page/t': 1, 'event/mobile/download': 2 });
    for (const wrong of [{ page: '/' }, { page: '/r', device: 'pc' }, { ...BATCH, page: '/r' }]) {
      expect((await post(portal, wrong)).code).toBe('events-invalid');
    }
    expect((await post(portal, { ...BATCH, events: { consent: 1 } })).code).toBe('events-invalid');
  });

  test('a line is counted under its one name, however the site folder writes it', async () => {
    const hosts = ['https://A.example', { host: 'HTTPS://b.example:8443', noWWW: true }, 'http://c.example'];
    const portal = await openPortal({}, hosts);
    await post(portal, { ...BATCH, lines: { 'a.example': 1, 'b.example:8443': 2, 'http://c.example': 3 } });
    expect(readCells(portal)).toMatchObject({
      'line/a.example': 1,
      'line/b.example:8443': 2,
      'line/http://c.example': 3,
    });
    // All views and metrics take the name from here.
    const names = ['a.example', 'b.example:8443', 'http://c.example'];
    expect(portal.site.lines.lines.map(({ host }) => host)).toEqual(names);
    // Pages get the entries as they were written.
    expect(portal.site.lines.lines.map(({ written }) => written)).toEqual(hosts);
  });

  test('what a visitor makes up is counted as “other”, whatever it is', async () => {
    const portal = await openPortal();
    await post(portal, {
      ...BATCH,
      language: 'xx',
      lines: { 'evil.example': 3 },
      referrer: '=HYPERLINK("x")',
    });
    const cells = readCells(portal);
    expect(cells).toMatchObject({ 'language/entered/other': 1, 'line/other': 3, 'referrer/other': 1 });
    expect(JSON.stringify(cells)).not.toMatch(/evil|HYPERLINK|xx/);
  });

  test.each<[title: string, body: unknown]>([
    ['not JSON', '{'],
    ['an unknown key', { ...BATCH, visitor: 'a1' }],
    ['an unknown event', { ...BATCH, events: { tab_made_up: 1 } }],
    ['an unknown step', { ...BATCH, steps: ['paid'] }],
    ['a step twice', { ...BATCH, steps: ['entered', 'entered'] }],
    ['more than a page can do', { ...BATCH, events: { retest: 101 } }],
    ['less than once', { ...BATCH, events: { retest: 0 } }],
    ['a part of a click', { ...BATCH, events: { retest: 0.5 } }],
    ['a number that is too large for JSON', JSON.stringify(BATCH).replace('2400', '1e999')],
    ['a negative vital', { ...BATCH, vitals: { LCP: -1 } }],
    ['nine lines', { ...BATCH, lines: Object.fromEntries(HOSTS.map((host) => [host, 1])) }],
    ['deep JSON', '['.repeat(2_000) + ']'.repeat(2_000)],
  ])('refuses %s', async (_title, body) => {
    const portal = await shared;
    expect(await post(portal, body)).toEqual({ status: 400, code: 'events-invalid' });
    expect(readCells(portal)).toEqual({});
  });

  test('refuses a body of more than 4 KB', async () => {
    const portal = await openPortal();
    const body = JSON.stringify(BATCH).padEnd(4_096);
    expect((await post(portal, body)).status).toBe(204);
    expect(await post(portal, `${body} `)).toEqual({ status: 400, code: 'events-too-large' });
  });

  test('whatever is posted: a batch is counted, or refused, and never an error of ours', async () => {
    const portal = await openPortal({ limits: { apiPerMinute: 1_000_000 } });
    const part = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...Object.values(BATCH)));
    const shape = Object.fromEntries(Object.keys(BATCH).map((key) => [key, part]));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), fc.record(shape), fc.string()), async (body) => {
        const { status } = await post(portal, body);
        expect([204, 400]).toContain(status);
      }),
      { numRuns: 200 },
    );
    const cells = Object.keys(readCells(portal));
    for (const cell of cells) {
      expect(cell).toMatch(/^(?:step|device|language|country|event|line|referrer|vital)\//);
    }
  });

  test('takes every batch of a busy network, and counts 600 of five minutes', async () => {
    const portal = await openPortal({ limits: { apiPerMinute: 1_000_000, exempt: ['198.51.100.0/24'] } });
    const batch = { ...BATCH, steps: ['page_view'], events: {}, lines: {}, vitals: {} };
    const postMany = async (times: number, network: string) => {
      for (let time = 0; time < times; time += 1) {
        expect((await post(portal, batch, `${network}.${time % 250}`)).status).toBe(204);
      }
    };
    await postMany(601, '203.0.113');
    expect(readCells(portal)).toMatchObject({ 'step/page_view': 600 });
    expect(await portal.readMetrics()).toContain('waypost_visit_batches_total{verdict="network-limit"} 1');
    await postMany(1, '203.0.114');
    await postMany(601, '198.51.100');
    expect(readCells(portal)).toMatchObject({ 'step/page_view': 1_202 });
  });

  test('there is no such path where nothing is counted, and a restricted region gets 451', async () => {
    const off = await openPortal({ analytics: { counts: 'off' } });
    expect(await post(off, BATCH)).toEqual({ status: 404, code: 'not-found' });
    const closed = await openPortal({
      network: { trustedProxies: ['10.0.0.0/8'], countryHeader: 'x-country' },
      compliance: {
        operator: 'o',
        licence: { statement: 's', url: 'https://example.com/' },
        minimumAge: 18,
        responsiblePlayUrl: 'https://example.com/',
        restrictedRegions: ['SG'],
      },
    });
    const headers = { 'x-forwarded-for': '198.51.100.7', 'x-country': 'SG' };
    expect(await post(closed, BATCH, '10.0.0.1', headers)).toEqual({
      status: 451,
      code: 'restricted-region',
    });
    expect([readCells(off), readCells(closed)]).toEqual([{}, {}]);
    expect((await off.ask('/api/events')).status).toBe(405);
  });
});
