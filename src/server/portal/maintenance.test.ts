import { describe, expect, test } from 'vitest';
import { createSiteFiles } from '../testing/site-files.ts';
import { type TestPortal, createTestPortal } from '../testing/test-portal.ts';

const PAGES = ['/', '/r', '/t/localhost'];
const CALLS = ['/api/hostnames', '/json/urls/localhost.json'];
const AT_LOCALHOST = { headers: { host: 'localhost' } };

async function open(maintenance: object, change: Record<string, object> = {}): Promise<TestPortal> {
  const files = await createSiteFiles((config) => {
    const site = config as Record<string, object>;
    for (const [key, value] of Object.entries(change)) site[key] = { ...site[key], ...value };
    Object.assign(config, { maintenance: [maintenance] });
  });
  return createTestPortal({ files });
}

const titleOf = (html: string): string | undefined => /<title>(.*?)<\/title>/.exec(html)?.[1];

describe('a maintenance of the site', () => {
  test('leaves pages, lines and redirects as they are, and tells the pages of itself', async () => {
    const { ask } = await open({ until: '2126-12-01T10:00+08:00', reason: 'New disks' });
    for (const path of CALLS) expect((await ask(path)).status).toBe(200);
    for (const path of PAGES) {
      const { status, text } = await ask(path, AT_LOCALHOST);
      expect([status, titleOf(text)]).toEqual([200, expect.stringContaining('open')]);
      expect(text).toContain(`"maintenance":{"reason":"New disks","until":${Date.UTC(2126, 11, 1, 2)}}`);
    }
  });

  test('that is over, or has not begun, changes nothing', async () => {
    for (const times of [{ until: '2020-12-01T10:00Z' }, { from: '2126-12-01T10:00Z' }]) {
      const { ask } = await open({ ...times, closes: true });
      expect((await ask('/api/hostnames')).status).toBe(200);
      expect((await ask('/')).text).not.toContain('"maintenance"');
    }
  });
});

describe('a maintenance that closes the site', () => {
  test('gives people the notice on every page, and programs 503 with the time at which to ask again', async () => {
    const { ask } = await open({ until: '2126-12-01T10:00+08:00', closes: true });
    for (const path of PAGES) {
      const { status, text } = await ask(path, AT_LOCALHOST);
      expect([status, titleOf(text)]).toEqual([200, expect.stringContaining('maintenance')]);
    }
    for (const path of CALLS) {
      const { status, headers, text } = await ask(path);
      expect([status, JSON.parse(text)]).toMatchObject([503, { error: { code: 'maintenance' } }]);
      expect(headers).toMatchObject({
        'retry-after': 'Sun, 01 Dec 2126 02:00:00 GMT',
        'waypost-closed': 'maintenance',
      });
    }
  });

  test('lets programs ask again after five minutes where nobody knows its end', async () => {
    const { ask } = await open({ closes: true });
    expect((await ask('/api/hostnames')).headers).toMatchObject({ 'retry-after': '300' });
  });

  test('hands out nothing with a document that carries its start', async () => {
    const files = await createSiteFiles((config) => {
      Object.assign(config, { start: 'inline', maintenance: [{ closes: true }] });
    });
    const { ask } = await createTestPortal({ files });
    for (const path of ['/', '/r']) expect((await ask(path)).text).not.toContain('/api/hostnames');
  });

  test('says nothing of itself to a region that is not served', async () => {
    const { ask } = await open(
      { closes: true },
      {
        network: { trustedProxies: ['10.0.0.0/8'], countryHeader: 'CF-IPCountry' },
        compliance: { restrictedRegions: ['AQ'] },
      },
    );
    const from = (country: string) => ({ from: '10.0.0.1', headers: { 'CF-IPCountry': country } });
    expect(titleOf((await ask('/', from('AQ'))).text)).toContain('restricted');
    expect((await ask('/api/hostnames', from('AQ'))).status).toBe(451);
    expect(titleOf((await ask('/', from('SG'))).text)).toContain('maintenance');
    expect((await ask('/api/hostnames', from('SG'))).status).toBe(503);
  });
});
