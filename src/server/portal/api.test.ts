import { describe, expect, test } from 'vitest';
import type { IpAddress } from '../caller/parse-address.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import type { Question } from '../testing/ask-app.ts';
import { type TestPortal, createTestPortal } from '../testing/test-portal.ts';

const HOSTS = [
  'a.example',
  { host: 'b.example', noWWW: true },
  'c.example',
  'd.example',
  'e.example',
  'f.example',
];

async function createPortal(
  change: Record<string, unknown> = {},
  random?: () => number,
): Promise<TestPortal> {
  const files = await createSiteFiles((config) => {
    Object.assign(config.lines as object, { hosts: HOSTS });
    Object.assign(config, change);
  });
  return createTestPortal({ files, ...(random ? { random } : {}) });
}

async function getIdentity({ ask }: TestPortal, from: string): Promise<{ get_ip: string; key_id: string }> {
  return JSON.parse((await ask('/api/get_ip', { from })).text) as { get_ip: string; key_id: string };
}

async function proofOf(portal: TestPortal, address: string): Promise<Record<string, string>> {
  const { get_ip, key_id } = await getIdentity(portal, address);
  return { RealUserAddr: get_ip, RealUserID: key_id };
}

/** The network that a ticket was issued for: what the server took the caller's address to be. */
async function networkSeen({ ask }: TestPortal, headers: Record<string, string>, from = '203.0.113.9') {
  return (await ask('/api/hostnames', { headers, from })).headers['waypost-ticket']?.split('~')[1];
}

describe('GET /json/urls/…', () => {
  test('is the file in its own order, also where its keys are numbers, and without the space in it', async () => {
    const text = '{\n  "10": "ten.example",\n\t"2" : "http://two.example"\n}\n';
    const files = await createSiteFiles(undefined, { 'json/urls/app.json': text });
    const { ask } = await createTestPortal({ files });
    expect((await ask('/json/urls/app.json')).text).toBe('{"10":"ten.example","2":"http://two.example"}');
  });

  test('is not found where the file names no host', async () => {
    const files = await createSiteFiles(undefined, { 'json/urls/app.json': '{}' });
    const { status, text } = await (await createTestPortal({ files })).ask('/json/urls/app.json');
    expect([status, text]).toEqual([404, expect.stringContaining('"not-found"')]);
  });
});

describe('GET /api/get_ip', () => {
  test('tells any origin the caller’s address, which nobody may store', async () => {
    const { ask } = await createPortal();
    const { text, headers } = await ask('/api/get_ip', { from: '::ffff:203.0.113.9' });
    expect(JSON.parse(text)).toEqual({ get_ip: '203.0.113.9', key_id: expect.stringMatching(/^[\w.-]+$/) });
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
  });
});

describe('GET /api/hostnames', () => {
  test('is counted by domain and network: where visitors are missing is known from it', async () => {
    const { ask, calls } = await createPortal();
    await ask('/api/hostnames', { headers: { host: 'Go.example:8443' }, from: '198.51.100.7' });
    await ask('/r', { headers: { host: 'go.example' } });
    expect(calls).toEqual([{ domain: 'go.example', area: '/198.51' }]);
  });

  test('is counted ten times in two minutes of one /24 or /48, so that nobody alone seems to be many', async () => {
    const { ask, calls } = await createPortal();
    for (let call = 1; call <= 30; call += 1) await ask('/api/hostnames', { from: `198.51.100.${call}` });
    expect(calls).toHaveLength(10);
    await ask('/api/hostnames', { from: '198.51.101.1' });
    expect(calls).toHaveLength(11);
  });

  test('hands out four hosts as the site names them, and a ticket', async () => {
    const { ask } = await createPortal({}, () => 0);
    const { text, headers, status } = await ask('/api/hostnames?logincode=undefined');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual([
      'a.example',
      { host: 'b.example', noWWW: true },
      'c.example',
      'd.example',
    ]);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['waypost-ticket']?.length).toBeLessThan(200);
  });

  test('draws every host equally often', async () => {
    const portal = await createPortal();
    const counts = new Map<string, number>();
    for (let run = 0; run < 3_000; run += 1) {
      portal.clock.now += 60_000; // A new window each time, so that no limit is hit.
      const hosts = JSON.parse((await portal.ask('/api/hostnames')).text) as (string | { host: string })[];
      for (const entry of hosts) {
        const host = typeof entry === 'string' ? entry : entry.host;
        counts.set(host, (counts.get(host) ?? 0) + 1);
      }
    }
    // 2,000 expected each, with a standard deviation of 26: five of them are one run in a million.
    for (const [host, count] of counts) expect(Math.abs(count - 2_000), host).toBeLessThan(130);
    expect(counts.size).toBe(6);
    expect(await portal.readMetrics()).toContain(
      `waypost_hostnames_handed_out_total{line="a.example"} ${counts.get('a.example')}`,
    );
  });

  /** A site that is not for British visitors, and a database that knows one British address in each of two networks. */
  async function createRestrictedPortal(systemOf = (): number | undefined => undefined): Promise<TestPortal> {
    const files = await createSiteFiles((config) => {
      Object.assign(config, { network: { trustedProxies: ['10.0.0.0/8'], mmdb: 'countries.mmdb' } });
      Object.assign(config.compliance as object, { restrictedRegions: ['GB'] });
    });
    const countryOf = ({ text }: IpAddress) => (/^(?:203\.0\.7|198\.51|2001:db8:7)/.test(text) ? 'GB' : 'FR');
    return createTestPortal({ files, addressDatabase: { countryOf, systemOf } });
  }

  async function statusWithProofOf(portal: TestPortal, address: string, from = '203.0.113.9') {
    const { get_ip, key_id } = await getIdentity(portal, address);
    const headers = { RealUserAddr: get_ip, RealUserID: key_id };
    return (await portal.ask('/api/hostnames', { headers, from })).status;
  }

  test('believes an address of the same network that comes with our proof of it', async () => {
    const portal = await createRestrictedPortal();
    expect(await statusWithProofOf(portal, '203.0.7.20')).toBe(451);
    expect(await statusWithProofOf(portal, '203.0.8.20')).toBe(200);
    expect(await statusWithProofOf(portal, '2001:db8:7::1', '2001:db8:8::1')).toBe(451);
  });

  test('ignores a proof from another network, and goes by the connection', async () => {
    const portal = await createRestrictedPortal();
    expect(await statusWithProofOf(portal, '198.51.100.20')).toBe(200);
    expect(await statusWithProofOf(portal, '203.0.113.9', '198.51.100.20')).toBe(451);
    expect(await networkSeen(portal, await proofOf(portal, '198.51.100.20'))).toBe('203.0.113');
  });

  test('knows one network by its autonomous system, whatever the addresses', async () => {
    const portal = await createRestrictedPortal(() => 64_500);
    expect(await statusWithProofOf(portal, '198.51.100.20')).toBe(451);
    expect(await statusWithProofOf(portal, '2001:db8:7::1')).toBe(451);
  });

  test('counts a caller by the prefix of the connection, whatever is proven', async () => {
    const portal = await createPortal();
    expect(await networkSeen(portal, await proofOf(portal, '203.0.200.20'))).toBe('203.0.113');
    expect(await networkSeen(portal, {}, '2001:db8:1:2::1')).toBe('2001:db8:1');
  });

  test('believes no address without a proof, nor with one for another, a broken or an old one', async () => {
    const portal = await createRestrictedPortal();
    const { get_ip, key_id } = await getIdentity(portal, '203.0.7.20');
    const status = async (headers: Record<string, string>) =>
      (await portal.ask('/api/hostnames', { headers })).status;
    const [expiry, signature = ''] = key_id.split('.');
    const forgeries: Record<string, string>[] = [
      { RealUserAddr: get_ip },
      { RealUserAddr: get_ip, RealUserID: '' },
      { RealUserAddr: '203.0.7.21', RealUserID: key_id },
      { RealUserAddr: get_ip, RealUserID: key_id.slice(0, -1) },
      { RealUserAddr: get_ip, RealUserID: `${expiry}.${'A'.repeat(22)}` },
      { RealUserAddr: get_ip, RealUserID: `${portal.clock.now + 1e9}.${signature}` },
      { RealUserAddr: `${get_ip} ${expiry}`, RealUserID: key_id },
      { RealUserAddr: 'not an address', RealUserID: key_id },
    ];
    for (const headers of forgeries) expect(await status(headers)).toBe(200);
    portal.clock.now += 599_999;
    expect(await status({ RealUserAddr: get_ip, RealUserID: key_id })).toBe(451);
    portal.clock.now += 1;
    expect(await status({ RealUserAddr: get_ip, RealUserID: key_id })).toBe(200);
  });

  test('serves nobody who cannot be told, however the forwarding headers are bent', async () => {
    const portal = await createRestrictedPortal();
    const through = async (headers: Record<string, string>) =>
      (await portal.ask('/api/hostnames', { from: '10.0.0.1', headers })).status;
    const BRITISH = '198.51.100.20';
    expect(await through({ 'X-Forwarded-For': BRITISH })).toBe(451);
    const attempts: Record<string, string>[] = [
      { 'X-Forwarded-For': BRITISH, Forwarded: 'for=1.1.1.1' },
      { 'X-Forwarded-For': BRITISH, Forwarded: 'for=unknown' },
      { 'X-Forwarded-For': `1.1.1.1, ${BRITISH}` },
      { 'X-Forwarded-For': `${BRITISH}, nonsense` },
      { 'X-Forwarded-For': '' },
      { Forwarded: 'for=_hidden' },
      {},
    ];
    for (const headers of attempts) expect(await through(headers), JSON.stringify(headers)).toBe(451);
    expect(await through({ 'X-Forwarded-For': `${BRITISH}, 1.1.1.1` })).toBe(200);
    const proof = await proofOf(portal, '10.0.7.7');
    expect(await through({ ...proof, 'X-Forwarded-For': BRITISH, Forwarded: 'for=1.1.1.1' })).toBe(451);
  });

  test('does not believe X-Forwarded-For of a stranger', async () => {
    const portal = await createPortal({ network: { trustedProxies: ['10.0.0.0/8'] } });
    const claim = { 'X-Forwarded-For': '198.51.100.20', Forwarded: 'for=198.51.100.20' };
    expect(await networkSeen(portal, claim)).toBe('203.0.113');
    expect(await networkSeen(portal, claim, '10.0.0.1')).toBe('198.51.100');
  });
});

describe('the area of a caller', () => {
  const areaSeen = async ({ ask }: TestPortal, from: string) =>
    (await ask('/api/hostnames', { from })).headers['waypost-ticket']?.split('~')[2];

  test('is its autonomous system where an mmdb file knows it, and otherwise its /16 or /32', async () => {
    const portal = await createTestPortal({
      addressDatabase: {
        countryOf: () => undefined,
        systemOf: ({ text }) => (text.startsWith('203.0.') ? 64_500 : undefined),
      },
    });
    expect(await areaSeen(portal, '203.0.113.9')).toBe('/AS64500');
    expect(await areaSeen(portal, '198.51.100.9')).toBe('/198.51');
    expect(await areaSeen(portal, '2001:db8:1:2::1')).toBe('/2001:db8');
  });

  test('is refused where the address that it proves is in a restricted region, wherever the call is from', async () => {
    const files = await createSiteFiles((config) => {
      Object.assign(config, { network: { mmdb: 'countries.mmdb' } });
      Object.assign(config.compliance as object, { restrictedRegions: ['GB'] });
    });
    // Two countries in one /16.
    const countryOf = ({ text }: { readonly text: string }) => (text.startsWith('203.0.200.') ? 'GB' : 'FR');
    const portal = await createTestPortal({
      files,
      addressDatabase: { countryOf, systemOf: () => undefined },
    });
    const askAs = async ({ get_ip, key_id }: { get_ip: string; key_id: string }, from: string) =>
      (await portal.ask('/api/hostnames', { from, headers: { RealUserAddr: get_ip, RealUserID: key_id } }))
        .status;
    const [inBritain, inFrance] = ['203.0.200.7', '203.0.113.7'];
    expect(await askAs(await getIdentity(portal, inFrance), '203.0.113.9')).toBe(200);
    expect(await askAs(await getIdentity(portal, inBritain), inFrance)).toBe(451);
    expect(await askAs(await getIdentity(portal, inFrance), inBritain)).toBe(451);
  });
});

describe('the rate limit', () => {
  test('tells each caller where they stand, and stops them there', async () => {
    const { ask, clock, readMetrics } = await createPortal({ limits: { apiPerMinute: 2 } });
    const first = await ask('/api/hostnames');
    expect(first.headers.ratelimit).toBe('"api";r=1;t=60');
    clock.now += 20_000;
    expect((await ask('/api/get_ip')).headers.ratelimit).toBe('"api";r=0;t=40');
    const refused = await ask('/api/hostnames');
    expect([refused.status, refused.headers['retry-after'], refused.headers['waypost-ticket']]).toEqual([
      429,
      '40',
      undefined,
    ]);
    expect(JSON.parse(refused.text).error.code).toBe('rate-limited');
    expect(refused.headers.ratelimit).toBe('"api";r=0;t=40');
    expect((await ask('/api/hostnames', { from: '203.0.113.10' })).status).toBe(200);
    clock.now += 40_000;
    expect((await ask('/api/hostnames')).status).toBe(200);
    expect(await readMetrics()).toContain('waypost_rate_limited_total 1');
  });

  test('tells those whose call is refused for another reason, too', async () => {
    const { ask } = await createPortal({ limits: { apiPerMinute: 9 } });
    const { status, headers } = await ask('/api/measurements', { method: 'POST', body: '{' });
    expect([status, headers.ratelimit]).toEqual([400, '"api";r=8;t=60']);
  });

  test('counts an IPv6 caller by its /64', async () => {
    const { ask } = await createPortal({ limits: { apiPerMinute: 1 } });
    expect((await ask('/api/hostnames', { from: '2001:db8:0:1::1' })).status).toBe(200);
    expect((await ask('/api/hostnames', { from: '2001:db8:0:1:ffff::2' })).status).toBe(429);
    expect((await ask('/api/hostnames', { from: '2001:db8:0:2::1' })).status).toBe(200);
  });

  test('does not hold the ranges that the operator exempts, also behind a proxy', async () => {
    const { ask } = await createPortal({
      limits: { apiPerMinute: 1, exempt: ['198.51.100.0/24', '2001:db8::/32'] },
      network: { trustedProxies: ['203.0.113.1/32'] },
    });
    const statusesOf = async (question: Question) =>
      [await ask('/api/hostnames', question), await ask('/api/hostnames', question)].map(
        ({ status }) => status,
      );
    expect(await statusesOf({ from: '198.51.100.7' })).toEqual([200, 200]);
    expect(await statusesOf({ from: '2001:db8:0:1::1' })).toEqual([200, 200]);
    expect(await statusesOf({ from: '198.51.101.7' })).toEqual([200, 429]);
    const headers = { 'X-Forwarded-For': '198.51.100.8' };
    expect(await statusesOf({ from: '203.0.113.1', headers })).toEqual([200, 200]);
    expect(await statusesOf({ from: '203.0.113.2', headers })).toEqual([200, 429]);
  });

  test('is not on the pages and files', async () => {
    const { ask } = await createPortal({ limits: { apiPerMinute: 1 } });
    for (let visits = 0; visits < 5; visits += 1) expect((await ask('/json/link.json')).status).toBe(200);
  });
});

describe('POST /api/measurements', () => {
  const result = { index: 0, outcome: 'valid', time: 38 };

  async function getTicket({ ask }: TestPortal, from = '203.0.113.9'): Promise<string> {
    return (await ask('/api/hostnames', { from })).headers['waypost-ticket'] ?? '';
  }

  async function report(
    portal: TestPortal,
    body: unknown,
    from = '203.0.113.9',
  ): Promise<{ status: number; code: string | undefined }> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await portal.ask('/api/measurements', { method: 'POST', body: text, from });
    const code = answer.text === '' ? undefined : (JSON.parse(answer.text).error.code as string);
    return { status: answer.status, code };
  }

  test('150 bodies of one network that never come hold no more memory, and others are still heard', async () => {
    const portal = await createPortal({ limits: { apiPerMinute: 10_000 } });
    const ends: (() => void)[] = [];
    const sendSlowly = () => {
      const start = (controller: ReadableStreamDefaultController) => {
        controller.enqueue(Buffer.from('{'));
        ends.push(() => controller.close());
      };
      const body = new ReadableStream({ start });
      return portal.ask('/api/measurements', { method: 'POST', body, from: '203.0.113.9' });
    };
    const slow = Array.from({ length: 150 }, sendSlowly);
    const refused = await sendSlowly();
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(refused.text).toContain('"too-busy"');
    expect(await report(portal, '{}', '198.51.100.7')).toEqual({ status: 400, code: 'report-invalid' });
    for (const end of ends) end();
    for (const { status } of await Promise.all(slow)) expect([400, 503]).toContain(status);
    expect((await report(portal, '{}')).status).toBe(400);
  });

  test('counts what a page measured, once for each ticket', async () => {
    const portal = await createPortal({}, () => 0);
    const ticket = await getTicket(portal);
    const results = [
      result,
      { index: 1, outcome: 'timeout', time: 99_999 },
      { index: 4, outcome: 'open', time: 0 },
    ];
    expect(await report(portal, { ticket, results, entered: 0 })).toEqual({ status: 204, code: undefined });
    expect(await report(portal, { ticket, results, entered: 0 })).toEqual({
      status: 400,
      code: 'ticket-spent',
    });
    const metrics = await portal.readMetrics();
    expect(metrics).toContain('waypost_measurements_total{verdict="accepted"} 1');
    expect(metrics).toContain('waypost_measurements_total{verdict="ticket-spent"} 1');
    expect(metrics).toContain('waypost_line_results_total{line="b.example",outcome="timeout"} 1');
    expect(metrics).toContain('waypost_line_results_total{line="http://backup1.localhost",outcome="open"} 1');
  });

  test('refuses what is no report, each with its reason', async () => {
    const portal = await createPortal();
    const ticket = await getTicket(portal);
    const refusals: [string, unknown][] = [
      ['report-invalid', ''],
      ['report-invalid', '{'],
      ['report-invalid', []],
      ['report-invalid', { ticket, results: [result] }],
      ['report-invalid', { ticket, results: [{ ...result, host: 'evil.example' }], entered: null }],
      ['report-invalid', { ticket, results: Array.from({ length: 10 }, () => result), entered: null }],
      ['report-invalid', { ticket, results: [{ ...result, time: -1 }], entered: null }],
      ['report-too-large', { ticket, results: [], entered: null, more: 'x'.repeat(2_048) }],
      ['ticket-invalid', { ticket: 'made up', results: [], entered: null }],
      ['ticket-invalid', { ticket: ticket.replace('203.0.113', '198.51.100'), results: [], entered: null }],
      ['ticket-invalid', { ticket: ticket.slice(0, -1), results: [], entered: null }],
      ['index-unknown', { ticket, results: [result, result], entered: null }],
    ];
    for (const [code, body] of refusals) expect(await report(portal, body)).toEqual({ status: 400, code });
    expect(await report(portal, { ticket, results: [result], entered: null })).toMatchObject({ status: 204 });
  });

  test('refuses a line that the ticket does not name', async () => {
    const portal = await createPortal({
      lines: {
        marker: 'm',
        hosts: ['a.example'],
        fallback: ['b.example', 'c.example', 'd.example', 'e.example'],
      },
    });
    const ticket = await getTicket(portal);
    for (const body of [
      { ticket, results: [{ ...result, index: 5 }], entered: null },
      { ticket, results: [], entered: 5 },
    ]) {
      expect(await report(portal, body)).toEqual({ status: 400, code: 'index-unknown' });
    }
    expect(await report(portal, { ticket, results: [{ ...result, index: 4 }], entered: 4 })).toMatchObject({
      status: 204,
    });
  });

  test('refuses a ticket after ten minutes, and a token in a ticket’s place', async () => {
    const portal = await createPortal();
    const ticket = await getTicket(portal);
    const { key_id } = await getIdentity(portal, '203.0.113.9');
    const another = await getTicket(portal);
    portal.clock.now += 600_000 - 1;
    expect(await report(portal, { ticket: key_id, results: [], entered: null })).toMatchObject({
      code: 'ticket-invalid',
    });
    expect(await report(portal, { ticket: another, results: [], entered: null })).toMatchObject({
      status: 204,
    });
    portal.clock.now += 1;
    expect(await report(portal, { ticket, results: [], entered: null })).toMatchObject({
      code: 'ticket-expired',
    });
  });

  test('takes every report of a busy network, and counts only the limit of five minutes', async () => {
    const portal = await createPortal({ limits: { reportsPerNetwork: 2 } });
    const reportFrom = async (address: number) => {
      const ticket = await getTicket(portal, `203.0.113.${address}`);
      const { status } = await report(portal, { ticket, results: [result], entered: null });
      expect(status).toBe(204);
    };
    const countVerdicts = async () => {
      const metrics = await portal.readMetrics();
      return ['accepted', 'network-limit'].map((verdict) =>
        Number(new RegExp(`measurements_total{verdict="${verdict}"} (\\d+)`).exec(metrics)?.[1] ?? 0),
      );
    };
    // In one and the same millisecond: neighbours get tickets of their own all the same.
    for (const address of [1, 2, 3]) await reportFrom(address);
    expect(await countVerdicts()).toEqual([2, 1]);
    portal.clock.now += 300_000 - 1;
    await reportFrom(4);
    expect(await countVerdicts()).toEqual([2, 2]);
    portal.clock.now += 1;
    await reportFrom(5);
    expect(await countVerdicts()).toEqual([3, 2]);
  });

  test('does not count a report from another network than its ticket was handed to, and does not say so', async () => {
    const portal = await createPortal();
    const first = await getTicket(portal);
    portal.clock.now += 1; // Or the two may be the same.
    const second = await getTicket(portal);
    const body = { results: [result], entered: 0 };
    const taken = { status: 204, code: undefined };
    expect(await report(portal, { ticket: first, ...body }, '198.51.100.20')).toEqual(taken);
    expect(await report(portal, { ticket: second, ...body }, '203.0.200.20')).toEqual(taken);
    const metrics = await portal.readMetrics();
    expect(metrics).toContain('waypost_measurements_total{verdict="other-network"} 1');
    expect(metrics).toContain('waypost_measurements_total{verdict="accepted"} 1');
  });
});
