import { expect, test } from 'vitest';
import { readStayRules } from '../../contract/line/stay-rules.ts';
import type { TestAnswer } from '../testing/ask-app.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import { type TestPortal, createTestPortal } from '../testing/test-portal.ts';

const HOSTS = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ host: `${name}.example` }));

type Changes = { readonly hosts?: readonly object[]; readonly restrictedRegions?: readonly string[] };

async function openPortal({ hosts = HOSTS, restrictedRegions = [] }: Changes = {}): Promise<TestPortal> {
  const files = await createSiteFiles((config) => {
    Object.assign(config.lines as object, { hosts, ports: [9900, 5569] });
    Object.assign(config, { limits: { apiPerMinute: 1_000 }, network: { mmdb: 'x.mmdb' } });
    Object.assign(config.compliance as object, { restrictedRegions });
  });
  const addressDatabase = { countryOf: () => 'GB', systemOf: () => undefined };
  return createTestPortal({ files, addressDatabase });
}

function askFrom(portal: TestPortal, origin: string): Promise<TestAnswer> {
  return portal.ask('/api/hostnames', { headers: { origin } });
}

test('answers pages of its own lines, whatever their port and day, and of nobody else', async () => {
  const portal = await openPortal({
    hosts: [...HOSTS, { host: 'http://old.example' }, { host: 'www7.day.example' }],
  });
  const allowed = async (origin: string): Promise<string | undefined> =>
    (await askFrom(portal, origin)).headers['access-control-allow-origin'];
  for (const own of [
    'https://a.example',
    'https://www20775.a.example:9900',
    'https://www1.b.example:1',
    'http://www20775.old.example:5569',
    'https://www7.day.example:9900',
  ]) {
    expect(await allowed(own), own).toBe(own);
  }
  for (const foreign of [
    'https://other.example',
    'https://wwwx.a.example',
    'https://x.a.example',
    'https://a.example.evil.example',
    'http://a.example',
    'https://old.example',
    'https://www1.www2.a.example',
    'null',
    'https://a.example/',
  ]) {
    expect(await allowed(foreign), foreign).toBeUndefined();
  }
});

test('hands a line its siblings, how to know them, and a ticket that names the line itself', async () => {
  const portal = await openPortal();
  const { text, headers } = await askFrom(portal, 'https://www20775.b.example:9900');
  const hosts = JSON.parse(text) as string[];
  expect(hosts).toHaveLength(4);
  expect(hosts).not.toContain('b.example');
  expect(headers['access-control-expose-headers']).toBe('Waypost-Ticket, Waypost-Stay, Waypost-Closed');
  const { config, lines } = portal.site;
  expect(readStayRules(headers['waypost-stay'])).toEqual({
    marker: config.lines.marker,
    markerHeader: 'server',
    ports: [9900, 5569],
    fallback: config.lines.fallback,
    mayKeep: true,
  });
  const ids = headers['waypost-ticket']?.split('~')[3]?.split('.') ?? [];
  expect(ids.map((id) => lines.byId.get(id)?.host)).toEqual([
    ...hosts,
    ...config.lines.fallback,
    'b.example',
  ]);
});

test('does not count a line that asks for siblings as a visit', async () => {
  const portal = await openPortal();
  await askFrom(portal, 'https://b.example');
  expect(await portal.readMetrics()).not.toContain('waypost_hostnames_handed_out_total{');
});

test('does not hand out a sibling that is drained, in maintenance or closed to the visitor', async () => {
  const maintenance = [{ from: '2026-01-05T00:00Z', until: '2026-01-06T00:00Z', reason: 'disks' }];
  const portal = await openPortal({
    hosts: [
      { host: 'a.example' },
      { host: 'b.example', drain: true },
      { host: 'c.example', maintenance },
      { host: 'd.example', countries: { not: ['GB'] } },
      { host: 'e.example' },
    ],
  });
  expect(JSON.parse((await askFrom(portal, 'https://a.example')).text)).toEqual(['e.example']);
});

test('says that nothing may be kept where the site restricts regions, and refuses those readably', async () => {
  const open = await askFrom(await openPortal({ restrictedRegions: ['FR'] }), 'https://a.example');
  expect(readStayRules(open.headers['waypost-stay'])?.mayKeep).toBe(false);
  const closed = await askFrom(await openPortal({ restrictedRegions: ['GB'] }), 'https://a.example');
  expect(closed.status).toBe(451);
  expect(closed.headers['access-control-allow-origin']).toBe('https://a.example');
});

test('counts a visitor who was moved by the line that they lost', async () => {
  const portal = await openPortal();
  const { headers } = await askFrom(portal, 'https://b.example');
  const send = (left: number): Promise<TestAnswer> =>
    portal.ask('/api/measurements', {
      method: 'POST',
      body: JSON.stringify({
        ticket: headers['waypost-ticket'],
        results: [
          { index: 8, outcome: 'unreachable', time: 99_999 },
          { index: 0, outcome: 'valid', time: 80 },
        ],
        entered: 0,
        left,
      }),
    });
  expect((await send(9)).status).toBe(400);
  expect((await send(8)).status).toBe(204);
  const metrics = await portal.readMetrics();
  expect(metrics).toContain('waypost_moved_visitors_total{line="b.example"} 1');
  expect(metrics).toContain('waypost_line_results_total{line="b.example",outcome="unreachable"} 1');
});
