import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { VisitorFacts } from '../recordings/describe-record.ts';
import type { IntakeVerdict } from '../recordings/keep-recordings.ts';
import { createRecord, createSegment } from '../testing/intake-messages.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import { type TestPortal, type TestPortalOptions, createTestPortal } from '../testing/test-portal.ts';

const PATH = '/api/intake';
const BODY = JSON.stringify(createRecord());

type Intake = TestPortal & { readonly taken: VisitorFacts[]; readonly senders: (string | undefined)[] };

/** A portal that is its own intake. */
async function openPortal(
  change: Record<string, unknown> = {},
  { verdict = 'taken', ...options }: TestPortalOptions & { readonly verdict?: IntakeVerdict } = {},
): Promise<Intake> {
  const taken: VisitorFacts[] = [];
  const senders: (string | undefined)[] = [];
  const files = await createSiteFiles((config) => {
    Object.assign(config, { monitoring: { intakeUrl: 'self' } }, change);
  });
  const recordings = {
    take: (_message: unknown, visitor: VisitorFacts, sender: string | undefined) => {
      taken.push(visitor);
      senders.push(sender);
      return verdict;
    },
  };
  return { ...(await createTestPortal({ files, recordings, ...options })), taken, senders };
}

const post = ({ ask }: TestPortal, body: string | Uint8Array<ArrayBuffer> = BODY, headers = {}) =>
  ask(PATH, { method: 'POST', body, headers: { 'content-length': String(body.length), ...headers } });

test('takes a message of any content type, and counts it', async () => {
  const portal = await openPortal();
  expect((await post(portal, BODY, { 'content-type': 'text/plain' })).status).toBe(204);
  expect((await post(portal, gzipSync(JSON.stringify(createSegment())))).status).toBe(204);
  expect(await portal.readMetrics()).toContain('waypost_intake_messages_total{verdict="taken"} 2');
  expect(await portal.readMetrics()).toMatch(/waypost_intake_bytes_total [1-9]/);
});

test('tells the store where the visitor is and with which browser, and never the address', async () => {
  const portal = await openPortal({
    network: { trustedProxies: ['203.0.113.0/24'], countryHeader: 'CF-IPCountry' },
  });
  const headers = {
    'x-forwarded-for': '198.51.100.7',
    'cf-ipcountry': 'SG',
    'user-agent': 'Mozilla/5.0 Chrome/131.0.0.0 Safari/537.36 secret',
  };
  await post(portal, BODY, headers);
  // A proxy that names nobody: its own network is not the visitor's.
  await post(portal, BODY, { 'cf-ipcountry': 'SG' });
  expect(portal.taken).toEqual([
    { country: 'SG', network: 'SG/198.51', browser: 'Chrome 131' },
    { country: 'SG', network: '', browser: '' },
  ]);
});

test.each([
  [400, 'message-invalid', '{}'],
  [413, 'message-too-large', 'x'.repeat(262_145)],
  [413, 'message-too-large', gzipSync(Buffer.alloc(1_000_000))],
] as const)('answers %i %s', async (status, code, body) => {
  const portal = await openPortal();
  const answer = await post(portal, body);
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(`"code":"${code}"`)]);
  expect(await portal.readMetrics()).toContain(`waypost_intake_messages_total{verdict="${code}"} 1`);
  expect(portal.taken).toEqual([]);
});

test.each([
  ['session-closed', 403, 'session-closed', undefined],
  ['queue-full', 503, 'intake-full', '5'],
] as const)('answers what the store says: %s', async (verdict, status, code, retryAfter) => {
  const answer = await post(await openPortal({}, { verdict }));
  expect([answer.status, answer.headers['retry-after']]).toEqual([status, retryAfter]);
  expect(answer.text).toContain(code);
});

test('is no path of a site with another intake, or with none', async () => {
  for (const intakeUrl of ['', 'https://intake.example/v1']) {
    const portal = await openPortal({ monitoring: { intakeUrl } });
    expect((await post(portal)).status).toBe(404);
    expect((await portal.ask(PATH)).status).toBe(404);
  }
  expect((await (await openPortal()).ask(PATH)).status).toBe(405);
});

test.each(['cross-site', 'same-site', 'none'])('takes nothing from a page that is %s', async (sender) => {
  const portal = await openPortal();
  const answer = await post(portal, BODY, { 'sec-fetch-site': sender });
  expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('"foreign-origin"')]);
  expect(portal.taken).toEqual([]);
  expect((await post(portal, BODY, { 'sec-fetch-site': 'same-origin' })).status).toBe(204);
});

test.each([
  'https://evil.example',
  'http://localhost.evil.example',
  'null',
  'http://localhost/ https://evil.example',
])('takes nothing from a page of %s in a browser that sends no Sec-Fetch-Site', async (origin) => {
  const portal = await openPortal();
  const answer = await post(portal, BODY, { origin });
  expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('"foreign-origin"')]);
  expect(portal.taken).toEqual([]);
});

test('takes what an own page sends in such a browser, also if a proxy leaves the port out of the host', async () => {
  const portal = await openPortal();
  for (const origin of ['http://go.example', 'https://go.example:8443']) {
    expect((await post(portal, BODY, { host: 'go.example', origin })).status).toBe(204);
  }
});

test('takes nothing from a restricted region', async () => {
  const portal = await openPortal({
    network: { trustedProxies: ['203.0.113.0/24'], countryHeader: 'CF-IPCountry' },
    compliance: {
      operator: 'Demo',
      licence: { statement: 'Demo', url: 'https://licence.example' },
      minimumAge: 18,
      responsiblePlayUrl: 'https://play.example',
      restrictedRegions: ['FR'],
    },
  });
  const headers = { 'x-forwarded-for': '198.51.100.7', 'cf-ipcountry': 'FR' };
  expect((await post(portal, BODY, headers)).status).toBe(451);
  expect(portal.taken).toEqual([]);
});

test('counts each started 16 KB of a message, and the messages of other calls not at all', async () => {
  const portal = await openPortal({ limits: { apiPerMinute: 4 } });
  const large = JSON.stringify(createSegment()).padEnd(40_000);
  for (let call = 0; call < 4; call += 1) await portal.ask('/api/get_ip');
  expect((await post(portal, large)).status).toBe(204);
  expect((await post(portal)).status).toBe(204);
  const refused = await post(portal);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
  expect(await portal.readMetrics()).toContain('waypost_intake_messages_total{verdict="rate-limited"} 1');
  portal.clock.now += 60_000;
  expect((await post(portal, large)).status).toBe(204);
  expect((await post(portal, large)).status).toBe(429);
});

test('holds no limit against an exempt range', async () => {
  const portal = await openPortal({ limits: { apiPerMinute: 1, exempt: ['203.0.113.0/24'] } });
  for (let call = 0; call < 3; call += 1) expect((await post(portal)).status).toBe(204);
});

test('a body that does not say how large it is counts as the largest', async () => {
  const portal = await openPortal({ limits: { apiPerMinute: 16 } });
  const body = new Blob([BODY]).stream();
  expect((await portal.ask(PATH, { method: 'POST', body })).status).toBe(204);
  expect((await post(portal)).status).toBe(429);
});

test(
  'bodies that do not say how large they are, and do not end, hold no more than the room of their network',
  { timeout: 30_000 },
  async () => {
    const portal = await openPortal({ limits: { apiPerMinute: 10_000 } });
    const ends: (() => void)[] = [];
    const sendOpen = () => {
      const start = (controller: ReadableStreamDefaultController) => {
        controller.enqueue(Buffer.from(BODY));
        ends.push(() => controller.close());
      };
      return portal.ask(PATH, { method: 'POST', body: new ReadableStream({ start }) });
    };
    const held = Array.from({ length: 13 }, sendOpen);
    expect((await sendOpen()).status).toBe(503);
    for (const end of ends) end();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual(held.map(() => 204));
    expect((await post(portal)).status).toBe(204);
  },
);

test('takes a thousand messages at once, but no more than 32 MB of them', async () => {
  const portal = await openPortal({ limits: { exempt: ['203.0.113.0/24'] } });
  const body = gzipSync(BODY);
  const burst = await Promise.all(Array.from({ length: 1_000 }, () => post(portal, body)));
  expect(burst.filter(({ status }) => status !== 204)).toEqual([]);
  const large = { 'content-length': '262144' };
  const answers = await Promise.all(Array.from({ length: 130 }, () => post(portal, body, large)));
  const statuses = answers.map(({ status }) => status);
  expect([204, 503].map((status) => statuses.filter((each) => each === status).length)).toEqual([122, 8]);
  expect((await post(portal, body)).status).toBe(204);
});

test('tells the store whose room a message takes: that of its network, and of no exempt range', async () => {
  const limits = { exempt: ['192.0.2.0/24'] };
  const portal = await openPortal({ limits, network: { trustedProxies: ['203.0.113.0/24'] } });
  for (const address of ['198.51.100.7', '198.51.100.8', '192.0.2.7']) {
    await post(portal, BODY, { 'x-forwarded-for': address });
  }
  expect(portal.senders).toEqual(['198.51.100', '198.51.100', undefined]);
});

test('a hundred networks that send as much as they can leave room for the next', async () => {
  const proxy = '203.0.113.0/24';
  const portal = await openPortal({ network: { trustedProxies: [proxy] }, limits: { apiPerMinute: 10_000 } });
  const body = gzipSync(BODY);
  const send = (from: string) => post(portal, body, { 'content-length': '262144', 'x-forwarded-for': from });
  const flood = Array.from({ length: 20 }, (_, host) => send(`198.51.100.${host}`));
  const others = Array.from({ length: 120 }, (_, index) => send(`198.18.${index % 100}.7`));
  const next = send('192.0.2.7');
  const taken = (await Promise.all(flood)).filter(({ status }) => status === 204);
  expect(taken.length * 262_144).toBeLessThan(4_000_000);
  expect((await Promise.all(others)).some(({ status }) => status === 503)).toBe(true);
  expect((await next).status).toBe(204);
  // What was held is given back.
  expect((await send('198.51.100.7')).status).toBe(204);
});
