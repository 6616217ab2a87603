import { describe, expect, test } from 'vitest';
import type { CampaignFill } from '../../contract/page/campaign-page.ts';
import { IPHONE, MAC, SAMPLE_CAMPAIGNS } from '../testing/sample-campaigns.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import { createTestPortal } from '../testing/test-portal.ts';

const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36';
async function openPortal(change: Record<string, unknown> = {}) {
  const files = await createSiteFiles((config) => {
    config['campaigns'] = SAMPLE_CAMPAIGNS;
    config['network'] = { trustedProxies: ['10.0.0.0/8'], countryHeader: 'CF-IPCountry' };
    Object.assign(config, change);
  });
  const portal = await createTestPortal({ files });
  const open = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await portal.ask(path, { from: '10.0.0.1', headers });
    const [, kind, locale] = /<title>(\S+) (\S+) /.exec(answer.text) ?? [];
    const fill = JSON.parse(/<fill>(.*)<\/fill>/.exec(answer.text)?.[1] ?? 'null') as CampaignFill | null;
    return { ...answer, kind, locale, fill };
  };
  return { ...portal, open };
}

describe('/c/CODE', () => {
  test('ends at a line, at its path and with its query, under a page that no search engine lists', async () => {
    const { open } = await openPortal();
    const { status, kind, fill, headers } = await open('/c/spring');
    expect([status, kind]).toEqual([200, 'redirect']);
    expect(fill?.data).toEqual({
      code: 'spring',
      end: { path: '/promo/spring', query: { utm_source: 'channel', code: 'ours' } },
    });
    expect(headers['x-robots-tag']).toBe('noindex');
    expect(headers['vary']).toBe('Accept-Language, Cookie, Accept-Encoding');
    // As a person types it, or a program writes it.
    expect((await open('/c/SPRING/')).fill?.data.code).toBe('spring');
  });

  test('follows the first rule that fits the device and the country', async () => {
    const { open } = await openPortal();
    const endFor = async (userAgent: string, country: string) => {
      const { kind, fill } = await open('/c/spring', { 'User-Agent': userAgent, 'CF-IPCountry': country });
      return [kind, fill?.data.end];
    };
    const query = { utm_source: 'channel', code: 'ours' };
    expect(await endFor(IPHONE, 'MY')).toEqual(['landing', {}]);
    expect(await endFor(IPHONE, 'SG')).toEqual([
      'redirect',
      { go: 'https://download.example.com/beichen-browser' },
    ]);
    expect(await endFor(ANDROID, 'SG')).toEqual(['redirect', { path: '/promo/sg', query }]);
    expect(await endFor(ANDROID, 'MY')).toEqual(['redirect', { path: '/promo/spring', query }]);
    // Nobody knows where they are: no rule by country fits.
    expect(await endFor(ANDROID, 'XX')).toEqual(['redirect', { path: '/promo/spring', query }]);
  });

  test('leaves it to the page whether a Mac is an iPad, where these end apart', async () => {
    const { open } = await openPortal();
    const dataFor = async (code: string, userAgent: string, country = 'XX') => {
      const headers = { 'User-Agent': userAgent, 'CF-IPCountry': country };
      return (await open(`/c/${code}`, headers)).fill?.data;
    };
    const query = { utm_source: 'channel', code: 'ours' };
    const end = { path: '/promo/spring', query };
    const download = { go: 'https://download.example.com/beichen-browser' };
    expect(await dataFor('spring', MAC)).toEqual({
      code: 'spring',
      end,
      by: [{ words: '^[1-9].*Mac', end: download }],
    });
    expect(await dataFor('spring', MAC, 'MY')).toMatchObject({
      by: [{ words: '^[1-9].*Mac', end: { go: '/' } }],
    });
    expect(await dataFor('spring', ANDROID)).toEqual({ code: 'spring', end });
    expect(await dataFor('channel', MAC)).toEqual({ code: 'channel', end: { go: expect.any(String) } });
    // The landing page cannot go elsewhere, and has what an iPad needs.
    expect(await dataFor('home', MAC)).toEqual({ code: 'home', end: {} });
  });

  test('opens a target on the hosts of /t, and the landing page elsewhere', async () => {
    const { open } = await openPortal();
    const at = async (Host: string) => {
      const { status, kind, fill } = await open('/c/app', { Host });
      return [status, kind, fill?.data.end];
    };
    expect(await at('localhost:8080')).toEqual([200, 'type-redirect', { target: 'localhost' }]);
    expect(await at('other.example')).toEqual([200, 'landing', {}]);
  });

  test('opens a download for the devices that have it, and the landing page for all others', async () => {
    const { open } = await openPortal();
    const endFor = async (userAgent: string) => {
      const { kind, fill } = await open('/c/android', { 'User-Agent': userAgent });
      return [kind, fill?.data.end];
    };
    expect(await endFor(ANDROID)).toEqual([
      'redirect',
      { go: 'https://download.example.com/aurora-android' },
    ]);
    expect(await endFor(IPHONE)).toEqual(['landing', {}]);
    expect(await endFor('')).toEqual(['landing', {}]);
  });

  test('works from its first moment to its last, and says before and after that it does not', async () => {
    const { open, clock } = await openPortal();
    const at = async (time: string) => {
      clock.now = Date.parse(time);
      const { status, kind, fill } = await open('/c/timed');
      return [status, kind, fill?.note];
    };
    expect(await at('2026-01-05T11:59:59.999Z')).toEqual([200, 'landing', 'soon']);
    expect(await at('2026-01-05T12:00:00.000Z')).toEqual([200, 'redirect', undefined]);
    expect(await at('2026-01-05T12:59:59.999Z')).toEqual([200, 'redirect', undefined]);
    expect(await at('2026-01-05T13:00:00.000Z')).toEqual([410, 'landing', 'ended']);
  });

  test.each(['/c/never', '/c/', '/c/a/b', '/c/%3Cscript%3E', '/c/constructor', '/c/__proto__'])(
    'shows the landing page for a code that never was (%s)',
    async (path) => {
      const { open } = await openPortal();
      const { status, kind, fill } = await open(path);
      expect([status, kind, fill?.note, fill?.data]).toEqual([
        404,
        'landing',
        'unknown',
        { code: '', end: {} },
      ]);
    },
  );

  test('has its title, description and picture by language', async () => {
    const { open } = await openPortal();
    const share = async (language: string) =>
      (await open('/c/spring', { 'Accept-Language': language })).fill?.share;
    expect(await share('en')).toEqual({
      path: '/c/spring',
      title: 'Spring cup',
      description: 'Play <b>&</b> win',
      image: expect.stringMatching(/^\/site\/images\/share\.[\w-]{10}\.jpg$/),
    });
    expect(await share('fr')).toMatchObject({ title: '春季杯' });
    expect((await open('/c/home')).fill?.share).toEqual({ path: '/c/home' });
  });

  test('remembers a language that was asked for', async () => {
    const { open } = await openPortal();
    const { locale, headers } = await open('/c/spring?lang=en');
    expect([locale, headers['set-cookie']]).toEqual(['en', expect.stringContaining('waypost.lang=en')]);
  });

  test('shows the notice where the site is closed', async () => {
    const { ask, open } = await openPortal({
      compliance: {
        operator: 'o',
        licence: { statement: 's', url: 'https://a.example/' },
        minimumAge: 18,
        responsiblePlayUrl: 'https://a.example/',
        restrictedRegions: ['GB'],
      },
    });
    const { text } = await ask('/c/spring', { from: '10.0.0.1', headers: { 'CF-IPCountry': 'GB' } });
    expect(text).toContain('<title>redirect zh-CN restricted</title>');
    expect((await open('/c/spring', { 'CF-IPCountry': 'SG' })).fill?.data.code).toBe('spring');
  });

  test('carries the start answers where pages do', async () => {
    const { open } = await openPortal({ start: 'inline' });
    expect((await open('/c/spring')).text).toContain('"/api/hostnames":');
    expect((await open('/c/home')).text).toContain('"/api/hostnames":');
  });

  test('is a page like all others: compressed, and asked for by GET only', async () => {
    const { ask } = await openPortal();
    const { headers } = await ask('/c/spring', { headers: { 'Accept-Encoding': 'br' } });
    expect(headers['content-encoding']).toBe('br');
    expect((await ask('/c/spring', { method: 'POST' })).status).toBe(405);
  });
});

describe('where the portal counts', () => {
  const counting = { analytics: { counts: 'self' } };

  test('programs that show links, and browsers that fetch ahead, are counted apart', async () => {
    const { open, counted } = await openPortal(counting);
    await open('/c/spring', { 'User-Agent': 'TelegramBot (like TwitterBot)' });
    await open('/c/spring', { 'User-Agent': 'WhatsApp/2.23.20.0' });
    await open('/c/spring', { 'Sec-Purpose': 'prefetch;prerender' });
    await open('/c/spring');
    await open('/c/never', { 'User-Agent': 'Twitterbot/1.0' });
    expect([...counted]).toEqual([
      ['all/campaign/preview/spring', 2],
      ['all/campaign/prefetch/spring', 1],
    ]);
  });

  test('a page says what brought its visitor, and how far they came', async () => {
    const { ask, counted } = await openPortal(counting);
    const body = JSON.stringify({
      page: '/c',
      device: 'pc',
      language: 'en',
      steps: ['page_view', 'first_row', 'entered'],
      from: { campaign: 'spring' },
    });
    const headers = { 'CF-IPCountry': 'SG' };
    expect((await ask('/api/events', { method: 'POST', from: '10.0.0.1', headers, body })).status).toBe(204);
    expect(counted.get('page/c')).toBe(1);
    expect(counted.get('all/campaign/entered/spring')).toBe(1);
    expect(counted.get('country/campaign/entered/SG/spring')).toBe(1);
  });

  test('a site that counts nothing counts no preview either', async () => {
    const { open, counted } = await openPortal();
    await open('/c/spring', { 'User-Agent': 'Twitterbot/1.0' });
    expect([...counted]).toEqual([]);
  });
});
