import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { START_ANSWERS_ID, type StartAnswers } from '../../contract/page/start-answers.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import { createTestPortal } from '../testing/test-portal.ts';

const PROXIED = { network: { trustedProxies: ['10.0.0.0/8'], countryHeader: 'CF-IPCountry' } };

async function open(changes: object = {}) {
  const files = await createSiteFiles((config) => Object.assign(config, { start: 'inline' }, changes));
  return createTestPortal({ files });
}

function readStart(html: string): StartAnswers | undefined {
  const [, json] = new RegExp(`id="${START_ANSWERS_ID}">(.*?)</script>`).exec(html) ?? [];
  return json ? (JSON.parse(json) as StartAnswers) : undefined;
}

describe('a document with start answers', () => {
  test.each(['/', '/r', '/r/'])('carries on %s what the three calls answer this caller', async (path) => {
    const { ask, clock, site } = await open();
    const start = readStart((await ask(path)).text);
    const answers = start?.answers ?? {};
    expect(start?.until).toBe(clock.now + 600_000);
    expect(Object.keys(answers)).toEqual(['/json/link.json', '/api/get_ip', '/api/hostnames']);
    expect(answers['/json/link.json']?.body).toEqual(JSON.parse((await ask('/json/link.json')).text));
    expect(answers['/api/get_ip']?.body).toEqual(JSON.parse((await ask('/api/get_ip')).text));
    const hosts = answers['/api/hostnames']?.body as readonly string[];
    expect(hosts).toHaveLength(4);
    expect(site.config.lines.hosts.map(({ host }) => host)).toEqual(expect.arrayContaining([...hosts]));
  });

  test('has a ticket with which the page may report, once', async () => {
    const { ask } = await open();
    const ticket = readStart((await ask('/')).text)?.answers['/api/hostnames']?.headers?.['Waypost-Ticket'];
    const report = { ticket, results: [{ index: 0, outcome: 'valid', time: 80 }], entered: 0 };
    const send = () => ask('/api/measurements', { method: 'POST', body: JSON.stringify(report) });
    expect((await send()).status).toBe(204);
    expect((await send()).status).not.toBe(204);
  });

  test('is counted like a hostname call', async () => {
    const { ask, readMetrics } = await open();
    await ask('/');
    expect(await readMetrics()).toMatch(/waypost_hostnames_handed_out_total\{[^}]+\} 1/);
  });

  test('is kept by nobody, and is never answered with 304', async () => {
    const { ask } = await open();
    const { headers } = await ask('/r');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      vary: 'Accept-Language, Cookie, Accept-Encoding',
    });
    expect(headers['content-security-policy']).toContain("script-src 'self' 'sha256-");
    expect(headers).not.toHaveProperty('etag');
    expect((await ask('/', { headers: { 'If-None-Match': '*' } })).status).toBe(200);
  });

  test('is compressed for browsers that accept it', async () => {
    const { ask } = await open();
    const encodingFor = async (accepted: string) =>
      (await ask('/', { headers: { 'Accept-Encoding': accepted } })).headers['content-encoding'];
    expect(await encodingFor('gzip, deflate, br')).toBe('br');
    expect(await encodingFor('gzip, br;q=0')).toBe('gzip');
    expect(await encodingFor('')).toBeUndefined();
  });

  test('is answered while a disk that hangs holds every thread of Node', async () => {
    const { ask } = await open();
    const pipe = join(tmpdir(), `waypost-threads-${process.pid}`);
    execFileSync('mkfifo', [pipe]);
    const hanging = Array.from({ length: 4 }, () => openFile(pipe, 'r'));
    const asking = ask('/', { headers: { 'Accept-Encoding': 'br' } });
    const isAnswered = await Promise.race([asking.then(() => true), afterSomeTurns().then(() => false)]);
    // Lets go of the threads: of one that opens the pipe only now, too.
    const writer = openSync(pipe, constants.O_RDWR);
    for (const file of await Promise.all(hanging)) await file.close();
    closeSync(writer);
    rmSync(pipe);
    expect(isAnswered).toBe(true);
    expect((await asking).headers['content-encoding']).toBe('br');
  });

  test('names the service that tells callers their address, where it is elsewhere', async () => {
    const { ask } = await open({ services: { callerAddress: 'https://ip.example' } });
    expect(readStart((await ask('/')).text)?.answers).toHaveProperty(['https://ip.example/api/get_ip']);
  });

  test('is not for a caller beyond the limit: the page sends its calls', async () => {
    const { ask } = await open({ limits: { apiPerMinute: 2 } });
    expect(readStart((await ask('/')).text)).toBeDefined();
    expect(readStart((await ask('/r')).text)).toBeDefined();
    const { status, text } = await ask('/');
    expect(status).toBe(200);
    expect(readStart(text)).toBeUndefined();
    expect((await ask('/api/hostnames')).status).toBe(429);
  });

  test('is not for a restricted region', async () => {
    const { ask } = await createTestPortal({
      files: await createSiteFiles((config) => {
        Object.assign(config, { start: 'inline' }, PROXIED);
        Object.assign(config['compliance'] as object, { restrictedRegions: ['GB'] });
      }),
    });
    const askFrom = (country: string) =>
      ask('/r', { from: '10.1.1.1', headers: { 'CF-IPCountry': country, 'X-Forwarded-For': '203.0.113.9' } });
    expect(readStart((await askFrom('SG')).text)).toBeDefined();
    const { text } = await askFrom('GB');
    expect(text).toContain('restricted');
    expect(readStart(text)).toBeUndefined();
    expect(text).not.toContain('line1.localhost');
  });

  test('is on / and /r alone, and nowhere where the site starts by calls', async () => {
    const { ask } = await open();
    expect(readStart((await ask('/t/localhost')).text)).toBeUndefined();
    expect(readStart((await ask('/nowhere')).text)).toBeUndefined();
    const usual = await createTestPortal();
    expect((await usual.ask('/')).text).not.toContain(START_ANSWERS_ID);
  });
});

/** Far more turns of the event loop than an answer takes that waits for no thread. */
async function afterSomeTurns(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
}
