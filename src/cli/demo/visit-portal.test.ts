import * as v from 'valibot';
import { expect, test } from 'vitest';
import { visitEventsSchema } from '../../contract/visit-events.ts';
import { type VisitDeps, visitPortal } from './visit-portal.ts';

const MARKER = 'waypost-demo';

/** A visit to a portal that hands these hosts out; resolves with the report that the portal got, and what it counts. */
async function visitAll(
  hosts: readonly string[],
  deps: Partial<VisitDeps>,
): Promise<readonly [report: unknown, events: unknown]> {
  const reports: unknown[] = [];
  const asked: (readonly [string, string | null])[] = [];
  await visitPortal({
    portalUrl: 'http://portal.example',
    marker: MARKER,
    markerHeader: 'server',
    ports: [9900],
    address: '198.18.1.2',
    passageTo: () => ({ reach: 1, extraMs: 0 }),
    askLine: async (address) => ({
      kind: 'answer',
      status: 200,
      headers: {
        server: MARKER,
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'Server',
      },
      timeMs: address.includes('near') ? 30 : 90,
      certificate: undefined,
    }),
    random: () => 0.5,
    now: () => 0,
    fetch: async (url, init) => {
      const { pathname } = new URL(url);
      asked.push([pathname, new Headers(init.headers).get('x-forwarded-for')]);
      if (pathname === '/api/get_ip') return Response.json({ get_ip: '198.18.1.2', key_id: 'proof' });
      if (pathname === '/api/hostnames')
        return Response.json(hosts, { headers: { 'Waypost-Ticket': 'ticket' } });
      reports.push(JSON.parse(typeof init.body === 'string' ? init.body : ''));
      return new Response(null, { status: 204 });
    },
    ...deps,
  });
  expect(asked.map(([path]) => path)).toEqual([
    '/api/get_ip',
    '/api/hostnames',
    '/api/measurements',
    '/api/events',
  ]);
  expect(new Set(asked.map(([, from]) => from))).toEqual(new Set(['198.18.1.2']));
  return [reports[0], reports[1]];
}

async function visit(hosts: readonly string[], deps: Partial<VisitDeps>): Promise<unknown> {
  const [report] = await visitAll(hosts, deps);
  return report;
}

test('a visit is counted with the steps that it took and the line that it entered', async () => {
  const [, entered] = await visitAll(['http://far.example', 'http://near.example'], {});
  expect(v.parse(visitEventsSchema, entered)).toMatchObject({
    steps: ['page_view', 'links_loaded', 'first_row', 'entered'],
    lines: { 'http://near.example': 1 },
  });
  const [, lost] = await visitAll(['http://far.example'], { passageTo: () => ({ reach: 0, extraMs: 0 }) });
  expect(v.parse(visitEventsSchema, lost)).toMatchObject({ steps: ['page_view', 'links_loaded'], lines: {} });
});

test('a visitor measures every line, and enters the fastest', async () => {
  expect(await visit(['http://far.example', 'http://near.example'], {})).toEqual({
    ticket: 'ticket',
    results: [
      { index: 0, outcome: 'valid', time: 90 },
      { index: 1, outcome: 'valid', time: 30 },
    ],
    entered: 1,
  });
});

test('a way that loses some fails for them, one that is slow takes longer, and who reaches nothing enters nothing', async () => {
  const hosts = ['http://far.example', 'http://near.example'];
  const slow = await visit(hosts, {
    passageTo: (host) => ({ reach: host.includes('far') ? 0.4 : 0.6, extraMs: 200 }),
  });
  expect(slow).toMatchObject({
    results: [{ outcome: 'unreachable' }, { outcome: 'valid', time: 230 }],
    entered: 1,
  });
  const lost = await visit(hosts, { passageTo: () => ({ reach: 0, extraMs: 0 }) });
  expect(lost).toMatchObject({ entered: null });
});
