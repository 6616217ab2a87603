import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSigner } from '../caller/create-signer.ts';
import { editJson } from '../desk/edit-json.ts';
import { parseSite } from '../site/parse-site.ts';
import { type TestAnswer, askApp } from '../testing/ask-app.ts';
import { createFakeWebBuild, renderFakePage } from '../testing/fake-web-build.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import { type CreatedPreview, type PreviewDeps, createPreview } from './create-preview.ts';
import { type PreviewLinks, type PreviewPass, createPreviewLinks } from './create-preview-links.ts';

const CONSOLE = 'https://console.example:8081';
const SECRET = Buffer.alloc(32, 7);

let now: number;
let name: string;
let loads: number;
let epoch: string;
let removed: string | undefined;
/** Holds the answers about the state of a draft. */
let hold: Promise<void> | undefined;
let links: PreviewLinks;
let prepare: CreatedPreview['prepare'];
let ask: (path: string, options?: { cookie?: string; method?: string }) => Promise<TestAnswer>;

beforeEach(async () => {
  now = Date.UTC(2026, 0, 5, 12);
  name = 'First';
  loads = 0;
  epoch = '1';
  removed = undefined;
  hold = undefined;
  links = createPreviewLinks(createSigner(SECRET), () => now);
  const { assets } = await createFakeWebBuild();
  const preview = createPreview({
    assets,
    secret: SECRET,
    log: pino({ level: 'silent' }),
    now: () => now,
    monotonicNow: () => now,
    random: () => 0.5,
    links,
    findEpoch: (person) => (person === removed ? undefined : epoch),
    findDraft,
    parse: async (files) => parseSite(files),
    editFile: async (path, bytes, edits) => Buffer.from(editJson(path, String(bytes), edits)),
    publishDeps: { renderPage: renderFakePage, now: () => now, buildFallbackAddresses: () => [] },
  });
  ({ prepare } = preview);
  ask = (path, { cookie, method = 'GET' } = {}) =>
    askApp(preview.app, path, { method, headers: cookie === undefined ? {} : { cookie } });
});

/** A draft whose brand has the name of this moment. That of somebody called "broken" has a fault. */
const findDraft: PreviewDeps['findDraft'] = async ({ person }) => {
  const revision = name;
  await hold;
  return {
    revision,
    readFiles: async () => {
      loads += 1;
      if (person === 'unlucky' && loads === 1) throw new Error('EIO');
      return createSiteFiles((config) => {
        config['brand'] = person === 'broken' ? {} : { ...(config['brand'] as object), name };
        config['analytics'] = { measurementId: 'G-1', tagUrl: 'https://tag.example/t.js' };
        config['compliance'] = { ...(config['compliance'] as object), restrictedRegions: ['GB'] };
        config['network'] = { countryHeader: 'X-Country', trustedProxies: ['192.0.2.1/32'] };
      });
    },
  };
};

function passOf(person: string): PreviewPass {
  return { person, epoch, draft: 'own', consoleOrigin: CONSOLE };
}

async function openPreview(person = 'ann'): Promise<string> {
  const { status, headers } = await ask(`/open/${links.issue(passOf(person))}/`);
  expect(status).toBe(302);
  return headers['set-cookie']?.split(';')[0] ?? '';
}

describe('a link to a preview', () => {
  test('opens the landing page in its language, with a cookie that scripts cannot read', async () => {
    const token = links.issue(passOf('ann'));
    const { headers } = await ask(`/open/${token}/?lang=en`);
    expect(headers['location']).toBe('/?lang=en');
    expect(headers['set-cookie']).toBe(
      `waypost.preview=${token}; Max-Age=3600; Path=/; HttpOnly; Secure; SameSite=Strict`,
    );
    expect((await ask('/', { cookie: await openPreview() })).text).toContain('"name":"First"');
  });

  test('is needed for everything, cannot be made up, and ends after an hour', async () => {
    const cookie = await openPreview();
    for (const path of ['/', '/r', '/api/hostnames', '/json/link.json', '/assets/app-1a2b3c.js']) {
      expect([path, (await ask(path)).status]).toEqual([path, 401]);
      expect([path, (await ask(path, { cookie: `${cookie}x` })).status]).toEqual([path, 401]);
      expect([path, (await ask(path, { cookie })).status]).toEqual([path, 200]);
    }
    const forged = createPreviewLinks(createSigner(Buffer.alloc(32, 8)), () => now);
    const token = forged.issue(passOf('ann'));
    expect((await ask(`/open/${token}/`)).status).toBe(401);
    now += 3_600_000;
    expect((await ask('/', { cookie })).status).toBe(401);
  });
});

test('a link, also an opened one, ends with the right of its person to see drafts', async () => {
  const cookie = await openPreview();
  removed = 'ann';
  expect((await ask('/', { cookie })).status).toBe(401);
  expect((await ask(`/open/${links.issue(passOf('ann'))}/`)).status).toBe(401);
  expect((await ask('/', { cookie: await openPreview('bo') })).status).toBe(200);
});

test('a link, also an opened one, ends with the sessions of its person', async () => {
  const link = `/open/${links.issue(passOf('ann'))}/`;
  const cookie = await openPreview();
  expect((await ask('/', { cookie })).status).toBe(200);
  epoch = '2';
  expect((await ask('/', { cookie })).status).toBe(401);
  expect((await ask(link)).status).toBe(401);
  expect((await ask('/', { cookie: await openPreview() })).status).toBe(200);
});

describe('a previewed page', () => {
  test('follows the draft, and is made once for each state of it', async () => {
    const cookie = await openPreview();
    await Promise.all([ask('/', { cookie }), ask('/r', { cookie })]);
    expect(loads).toBe(1);
    name = 'Second';
    expect((await ask('/', { cookie })).text).toContain('"name":"Second"');
    expect(loads).toBe(2);
  });

  test('may be framed by the console that asked for it, and by nobody else', async () => {
    const { headers } = await ask('/', { cookie: await openPreview() });
    expect(headers['content-security-policy']).toContain(`; frame-ancestors ${CONSOLE}`);
    expect(headers['content-security-policy']).not.toContain("frame-ancestors 'none'");
    expect([headers['x-frame-options'], headers['cache-control']]).toEqual([undefined, 'no-store']);
  });

  test('gets lines and no ticket, can report nothing, and loads no tag', async () => {
    const cookie = await openPreview();
    const { headers, text } = await ask('/api/hostnames', { cookie });
    expect(JSON.parse(text)).toHaveLength(4);
    expect(headers['waypost-ticket']).toBeUndefined();
    expect((await ask('/api/measurements', { cookie, method: 'POST' })).status).toBe(405);
    expect((await ask('/', { cookie })).headers['content-security-policy']).not.toContain('tag.example');
  });

  test('is the page of a region that is served, wherever the operator is', async () => {
    expect((await ask('/', { cookie: await openPreview() })).text).toContain('landing zh-CN open');
  });

  test('is made again if the disk had a fault', async () => {
    const cookie = await openPreview('unlucky');
    expect((await ask('/', { cookie })).status).toBe(500);
    expect((await ask('/', { cookie })).status).toBe(200);
  });

  test('of a draft with faults says what they are', async () => {
    const { status, text, headers } = await ask('/', { cookie: await openPreview('broken') });
    expect([status, text]).toEqual([422, expect.stringContaining('brand.name is missing')]);
    expect(headers['content-security-policy']).toBe(`default-src 'none'; frame-ancestors ${CONSOLE}`);
  });
});

describe('what is being typed', () => {
  const typed = (value: unknown) => [{ path: ['brand', 'name'], value }];

  test('is shown, and what has a fault leaves the page as it was', async () => {
    const cookie = await openPreview();
    expect(await prepare(passOf('ann'), typed('Second'))).toEqual([]);
    expect((await ask('/', { cookie })).text).toContain('"name":"Second"');
    expect(await prepare(passOf('ann'), typed(7))).toMatchObject([{ place: { path: ['brand', 'name'] } }]);
    expect((await ask('/', { cookie })).text).toContain('"name":"Second"');
  });

  test('is shown to its person alone, and no longer than the draft stays as it is', async () => {
    const cookie = await openPreview();
    await prepare(passOf('ann'), typed('Second'));
    expect((await ask('/', { cookie: await openPreview('bo') })).text).toContain('"name":"First"');
    name = 'Third';
    expect((await ask('/', { cookie })).text).toContain('"name":"Third"');
  });

  test('stays, although a request from before learns only now which draft it was', async () => {
    const cookie = await openPreview();
    let release!: () => void;
    hold = new Promise((resolve) => (release = resolve));
    const late = ask('/', { cookie });
    hold = undefined;
    name = 'Second';
    await prepare(passOf('ann'), typed('Third'));
    release();
    expect((await late).text).toContain('"name":"Third"');
    expect((await ask('/', { cookie })).text).toContain('"name":"Third"');
  });

  test('is gone for somebody who gets the name of a person who was removed', async () => {
    await prepare({ ...passOf('ann'), since: 1 }, typed('Second'));
    const token = links.issue({ ...passOf('ann'), since: 2 });
    const { headers } = await ask(`/open/${token}/`);
    const cookie = headers['set-cookie']?.split(';')[0] ?? '';
    expect((await ask('/', { cookie })).text).toContain('"name":"First"');
  });

  test('is made for one at a time, eight wait, and more are refused: visitors are answered by the same thread', async () => {
    const asked = Array.from({ length: 12 }, (_, person) => prepare(passOf(`p${person}`), typed('Second')));
    const ends = await Promise.allSettled(asked);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(9);
    expect(ends.at(-1)).toMatchObject({ reason: { code: 'desk-busy' } });
    expect(await prepare(passOf('later'), typed('Second'))).toEqual([]);
  });

  test('comes with scripts that the browser keeps', async () => {
    const { headers } = await ask('/assets/app-1a2b3c.js', { cookie: await openPreview() });
    expect(headers['cache-control']).toContain('immutable');
  });

  test('is made once for the same text', async () => {
    await prepare(passOf('ann'), typed('Second'));
    await prepare(passOf('ann'), typed('Second'));
    expect(loads).toBe(1);
    await prepare(passOf('ann'), []);
    expect(loads).toBe(2);
  });
});

test.each([
  ['t/localhost', '/t/localhost?lang=en'],
  ['nowhere', '/nowhere?lang=en'],
  ['/other.example', '/?lang=en'],
  ['..%2f%2fother.example', '/?lang=en'],
  ['a:b@other.example', '/?lang=en'],
])('a link to %s leads to %s', async (path, location) => {
  const { headers } = await ask(`/open/${links.issue(passOf('ann'))}/${path}?lang=en`);
  expect(headers['location']).toBe(location);
});
