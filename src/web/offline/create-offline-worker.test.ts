import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { tenthOf } from '../../engine/testing/tenth-of.ts';
import { answerFromDocument } from '../../engine/portal/answer-from-document.ts';
import { findLine } from '../../engine/redirect/find-line.ts';
import { createFakeWorld } from '../../engine/testing/create-fake-world.ts';
import { type OfflineRequest, createOfflineWorker } from './create-offline-worker.ts';

const NOW = Date.UTC(2026, 10, 16);
const DAY_MS = 86_400_000;
const SLOT = /<script type="application\/json" id="waypost-start">(.*?)<\/script>/;
const SHELL =
  '<html><script type="application/json" id="waypost-start">{"until":0,"answers":{"/json/link.json":{"body":{}}}}</script><p><time></time></p></html>';
const KEPT = JSON.stringify({ at: NOW - 3 * 3_600_000, hosts: ['line1.example'] });

type World = {
  /** What the portal answers, or an error; undefined if it never does. */
  readonly portal?: Response | Error | undefined;
  readonly kept?: Readonly<Record<string, string | undefined>>;
  /** For how many days the shells say that lines count. */
  readonly days?: string;
  /** The paths of the pages that are open. */
  readonly pages?: readonly string[];
  /** True if a portal that never answers does so within 30 s. */
  readonly isPatient?: boolean;
  /** What the portal answers at these paths. */
  readonly answers?: Readonly<Record<string, unknown>>;
};

/** As much of a request as the worker looks at: only a browser makes one with the mode `navigate`. */
function createRequest(path: string, change: Partial<Request> = {}): Request {
  return { url: `https://go.example${path}`, method: 'GET', mode: 'navigate', ...change } as Request;
}

function createWorld({ portal, kept = {}, days = '7', pages = [], isPatient, answers = {} }: World) {
  const entries = new Map<string, Response>();
  const all = {
    '/offline/': SHELL,
    '/offline/r': SHELL,
    '/offline/t': SHELL,
    '/api/hostnames': KEPT,
    ...kept,
  };
  for (const [path, body] of Object.entries(all)) {
    const headers = { 'Content-Language': 'en', 'Waypost-Offline': days };
    if (body !== undefined) entries.set(path, new Response(body, { headers }));
  }
  const log: string[] = [];
  const sent: (readonly [path: string, init: RequestInit | undefined])[] = [];
  const works: Promise<unknown>[] = [];
  const cache = {
    match: (path: string) => Promise.resolve(entries.get(path)?.clone()),
    put: (path: string, response: Response) => Promise.resolve(void entries.set(path, response)),
  };
  const worker = createOfflineWorker({
    caches: {
      // As much of a cache as the worker uses.
      open: () => Promise.resolve(cache as unknown as Cache),
      delete: () => Promise.resolve(entries.clear()).then(() => true),
    },
    fetch: (input, init) => {
      const path = typeof input === 'string' ? input : 'request';
      log.push(path);
      sent.push([path, init]);
      if (path in answers) return Promise.resolve(Response.json(answers[path]));
      if (portal instanceof Error) return Promise.reject(portal);
      return portal === undefined ? new Promise(() => undefined) : Promise.resolve(portal.clone());
    },
    now: () => NOW,
    setTimer(callback, delayMs) {
      // The portal is quicker than its 4 s, or it never answers. The other timers are the ends of calls.
      const isOver = delayMs === 4_000 || (delayMs === 30_000 && !isPatient);
      if (delayMs === 5_000 || (isOver && portal === undefined)) {
        log.push(`waited ${delayMs}`);
        queueMicrotask(callback);
      }
      return () => undefined;
    },
    listPages: () => Promise.resolve(pages.map((path) => `https://go.example${path}`)),
    unregister: () => Promise.resolve(void log.push('unregistered')),
  });
  const answer = (path: string, change: Partial<OfflineRequest> = {}) =>
    worker.answer({
      request: createRequest(path),
      preloadResponse: Promise.resolve(undefined),
      clientId: '',
      resultingClientId: 'page',
      waitUntil: (work) => void works.push(work),
      ...change,
    });
  const askFile = (path: string, clientId: string) =>
    answer(path, { clientId, request: createRequest(path, { mode: 'no-cors' }) });
  return {
    answer,
    askFile,
    keepRedirect: worker.keepRedirect,
    log,
    sent,
    entries,
    settle: () => Promise.all(works),
  };
}

const GONE = new TypeError('Failed to fetch');

function readStart(html: string): unknown {
  return JSON.parse(SLOT.exec(html)?.[1] ?? '');
}

/** What a portal says while a maintenance closes it. */
const CLOSED = { 'Waypost-Closed': 'maintenance' };

describe('a portal that cannot be reached', () => {
  test.each([
    ['refuses', GONE],
    ['is behind a proxy that says 502', new Response('', { status: 502 })],
    ['is behind a proxy that says 503', new Response('', { status: 503 })],
    ['is behind a proxy that says 504', new Response('', { status: 504 })],
    ['never answers', undefined],
  ])('is replaced by the shell with the kept lines where it %s', async (_, portal) => {
    const { answer, log } = createWorld({ portal });
    const html = await (await answer('/'))?.text();
    expect(readStart(html ?? '')).toEqual({
      until: NOW - 3 * 3_600_000 + 7 * DAY_MS,
      isKept: true,
      answers: { '/json/link.json': { body: {} }, '/api/hostnames': { body: ['line1.example'] } },
    });
    expect(html).toContain('<time>3 hours ago</time>');
    if (portal === undefined) expect(log).toContain('waited 4000');
  });

  test('is replaced on /r and /c, and on /t for the targets that were kept', async () => {
    const kept = { '/json/urls/go.json': KEPT, '/json/urls/app.json': KEPT };
    const { answer } = createWorld({ portal: GONE, kept });
    for (const path of [
      '/',
      '/?lang=en',
      '/r',
      '/r/',
      '/r?x=1',
      '/c/spring',
      '/t/app',
      '/t/app/',
      '/t',
      '/t/',
    ]) {
      expect((await answer(path))?.status).toBe(200);
    }
    await expect(answer('/t/other')).rejects.toThrow('Failed to fetch');
  });

  test('gives its files to the pages that were answered with a shell, and to no other', async () => {
    const { answer, askFile } = createWorld({
      portal: GONE,
      kept: { 'https://go.example/assets/a.js': 'a' },
    });
    expect(askFile('/assets/a.js', 'page')).toBeUndefined();
    await answer('/');
    expect(await (await askFile('/assets/a.js', 'page'))?.text()).toBe('a');
    expect(askFile('/assets/a.js', 'another')).toBeUndefined();
    expect(askFile('/api/hostnames', 'page')).toBeUndefined();
  });

  test('gives its page its files also in Safari before 16, which does not say which page that will be', async () => {
    const { answer, askFile } = createWorld({
      portal: GONE,
      kept: { 'https://go.example/assets/a.js': 'a' },
    });
    await answer('/', { resultingClientId: undefined });
    expect(await (await askFile('/assets/a.js', 'page'))?.text()).toBe('a');
    expect(askFile('/api/hostnames', 'page')).toBeUndefined();
  });

  test.each([
    ['nothing is kept', { '/api/hostnames': undefined }],
    ['there is no shell', { '/offline/': undefined }],
    ['the lines are too old', { '/api/hostnames': JSON.stringify({ at: NOW - 7 * DAY_MS, hosts: [] }) }],
    ['the lines are of tomorrow', { '/api/hostnames': JSON.stringify({ at: NOW + DAY_MS, hosts: [] }) }],
    ['the region was refused', { '/api/hostnames': JSON.stringify({ at: NOW }) }],
    ['the shell is no page of ours', { '/offline/': '<h1>Sign in to the hotel</h1>' }],
  ])('stays what it is where %s', async (_, kept) => {
    await expect(createWorld({ portal: GONE, kept }).answer('/')).rejects.toThrow('Failed to fetch');
    const gateway = createWorld({ portal: new Response('', { status: 502 }), kept });
    expect((await gateway.answer('/'))?.status).toBe(502);
  });

  const AWAY = { '/offline/away': '<h1>away</h1>', '/api/hostnames': undefined };
  test.each([
    ['refuses', GONE],
    ['is behind a proxy that says 502', new Response('', { status: 502 })],
    ['never answers', undefined],
  ])('is replaced by a page that says so where no kept line counts, and it %s', async (_, portal) => {
    const { answer, log } = createWorld({ portal, kept: AWAY });
    for (const path of ['/', '/r', '/t/app']) {
      const answered = await answer(path);
      expect(answered?.status).toBe(503);
      expect(await answered?.text()).toBe('<h1>away</h1>');
    }
    if (portal === undefined) expect(log.slice(0, 3)).toEqual(['waited 4000', 'request', 'waited 30000']);
  });

  test('is waited for where no kept line counts, and it is only slow', async () => {
    let send: ((answer: Response) => void) | undefined;
    const preloadResponse = new Promise<Response>((resolve) => (send = resolve));
    const { answer, log, entries, settle } = createWorld({ portal: undefined, kept: AWAY, isPatient: true });
    const answering = answer('/', { preloadResponse });
    await vi.waitFor(() => expect(log).toEqual(['waited 4000']));
    send?.(new Response('late', { status: 503, headers: CLOSED }));
    expect(await (await answering)?.text()).toBe('late');
    await settle();
    expect(entries.size).toBe(0);
  });

  test.each([
    ['9999', 29, true],
    ['9999', 30, false],
    ['1', 1, false],
    ['', 0.5, false],
    ['soon', 0.5, false],
  ])('counts lines for %s days, and for 30 at most: %d days', async (days, age, isUsed) => {
    const kept = { '/api/hostnames': JSON.stringify({ at: NOW - age * DAY_MS, hosts: [] }) };
    const { answer } = createWorld({ portal: GONE, kept, days });
    const answered = await answer('/')?.catch(() => undefined);
    expect(answered !== undefined).toBe(isUsed);
  });
});

describe('a portal that answers', () => {
  test.each([200, 404, 451, 500])('is shown as it is with %i', async (status) => {
    const { answer } = createWorld({ portal: new Response('theirs', { status }) });
    expect(await (await answer('/'))?.text()).toBe('theirs');
  });

  test('is shown as it is while it is closed for maintenance, although a proxy’s 503 is not', async () => {
    const closed = createWorld({ portal: new Response('theirs', { status: 503, headers: CLOSED }) });
    expect(await (await closed.answer('/'))?.text()).toBe('theirs');
    const away = createWorld({ portal: new Response('theirs', { status: 503 }) });
    expect(await (await away.answer('/'))?.text()).not.toBe('theirs');
  });

  test('is asked once, by the browser itself where it can do so', async () => {
    const { answer, log } = createWorld({ portal: GONE });
    const preloadResponse = Promise.resolve(new Response('preloaded'));
    expect(await (await answer('/', { preloadResponse }))?.text()).toBe('preloaded');
    expect(log).not.toContain('request');
  });

  test.each([
    ['451', new Response('', { status: 451 })],
    ['the 503 of a maintenance', new Response('', { status: 503, headers: CLOSED })],
    [
      'the notice of a site that is closed for this visitor',
      new Response('', { headers: { 'Waypost-Offline': 'off' } }),
    ],
  ])('makes the browser forget everything with %s', async (_, portal) => {
    const { answer, entries, log, settle } = createWorld({ portal });
    await answer('/r');
    await settle();
    expect(entries.size).toBe(0);
    expect(log).toContain('unregistered');
  });

  test('has the shell of /r kept anew after the page has gone', async () => {
    const { answer, entries, log, settle } = createWorld({ portal: new Response('new') });
    await answer('/r');
    await settle();
    expect(log.slice(-3)).toEqual(['waited 5000', '/offline/r', '/offline/away']);
    expect(await entries.get('/offline/r')?.text()).toBe('new');
    expect(await entries.get('/offline/away')?.text()).toBe('new');
  });
});

test('the worker asks for lines itself where the page was gone before it could keep its own', async () => {
  const service = 'https://who.example';
  const data = JSON.stringify({ callerService: service });
  const { keepRedirect, log, sent, entries } = createWorld({
    portal: new Response(`<script type="application/json" id="waypost-data">${data}</script>`),
    answers: {
      [`${service}/api/get_ip`]: { get_ip: '203.0.113.7', key_id: 'proof' },
      '/api/hostnames': ['line7.example'],
    },
    kept: { '/api/hostnames': undefined },
    pages: ['/nowhere', '/t/app'],
  });
  await keepRedirect();
  expect(await entries.get('/api/hostnames')?.clone().json()).toEqual({
    at: NOW,
    hosts: [{ host: 'line7.example' }],
  });
  expect(sent.at(-1)?.[1]?.headers).toEqual({ RealUserAddr: '203.0.113.7', RealUserID: 'proof' });
  await keepRedirect();
  expect(log).toEqual([
    '/offline/r',
    '/offline/away',
    'waited 5000',
    `${service}/api/get_ip`,
    '/api/hostnames',
    '/offline/r',
    '/offline/away',
  ]);
});

test.each(['/', '/r', '/?lang=en'])(
  'the worker leaves the hostname call to a page that is open: %s',
  async (page) => {
    const { keepRedirect, log } = createWorld({
      portal: new Response('shell'),
      kept: { '/api/hostnames': undefined },
      pages: [page],
    });
    await keepRedirect();
    expect(log).toEqual(['/offline/r', '/offline/away', 'waited 5000']);
  },
);

test('the worker ends a request for a shell that takes more than 30 s', async () => {
  vi.useFakeTimers();
  const signals: (AbortSignal | null | undefined)[] = [];
  const worker = createOfflineWorker({
    caches: { open: () => expect.fail('opened'), delete: () => expect.fail('deleted') },
    fetch: (_, init) =>
      new Promise((_resolve, reject) => {
        signals.push(init?.signal);
        init?.signal?.addEventListener('abort', () => reject(GONE));
      }),
    now: Date.now,
    setTimer(callback, delayMs) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
    listPages: () => Promise.resolve([]),
    unregister: () => Promise.resolve(),
  });
  const keeping = worker.keepRedirect();
  await vi.advanceTimersByTimeAsync(29_999);
  expect(signals.map((signal) => signal?.aborted)).toEqual([false]);
  await vi.advanceTimersByTimeAsync(1);
  await keeping;
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});

test('what is not a page is left to the browser, and so is /?fresh', () => {
  const { answer } = createWorld({ portal: GONE });
  for (const path of [
    '/?fresh',
    '/r?fresh=1',
    '/nowhere',
    '/t/a/b',
    '/t/%20',
    '/offline/',
    '/api/hostnames',
  ]) {
    expect(answer(path)).toBeUndefined();
  }
  expect(answer('/', { request: createRequest('/', { method: 'POST' }) })).toBeUndefined();
});

test('whatever was kept, nobody is sent to an address that did not prove to be a line', async () => {
  const host = fc.oneof(
    fc.stringMatching(/^[a-c]\.(?:ours|false|gone)\.example$/),
    fc.record({ host: fc.stringMatching(/^[a-c]\.(?:ours|false)\.example$/), noWWW: fc.boolean() }),
    fc.string(),
    fc.constantFrom(
      'javascript:alert(1)',
      '</script><script>alert(1)</script>',
      '//false.example',
      'https://ours.example@false.example',
      '$&',
      'x'.repeat(50_000),
    ),
    fc.anything(),
  );
  const lines = fc.record({
    at: fc.oneof(fc.integer({ min: NOW - 40 * DAY_MS, max: NOW + DAY_MS }), fc.double(), fc.anything()),
    hosts: fc.oneof(fc.array(host, { maxLength: 6 }), fc.anything()),
  });
  const sound = fc.record({
    at: fc.constant(NOW - DAY_MS),
    hosts: fc.array(host, { maxLength: 6 }),
  });
  const kept = fc.oneof(
    fc.oneof(sound, lines, fc.anything()).map(toJson),
    fc.string(),
    fc.tuple(fc.nat(KEPT.length - 1), fc.string()).map(([at, text]) => changeText(KEPT, at, text)),
  );
  const shell = fc.oneof(
    { arbitrary: fc.constant(SHELL), weight: 4 },
    fc.tuple(fc.nat(SHELL.length - 1), fc.string()).map(([at, text]) => changeText(SHELL, at, text)),
  );
  await fc.assert(
    fc.asyncProperty(kept, shell, async (keptLines, page) => {
      const { answer } = createWorld({
        portal: GONE,
        kept: { '/api/hostnames': keptLines, '/offline/': page },
      });
      const answered = await answer('/')?.catch((error: unknown) => error);
      // Beyond "cannot be reached", the visitor sees no error.
      if (answered === GONE) return;
      const html = await (answered as Response).text();
      // Nothing of what was kept has become a part of the page.
      expect(html.split('<script')).toHaveLength(page.split('<script').length);
      await expectProvenLine(SLOT.exec(html)?.[1]);
    }),
    { numRuns: tenthOf(10_000) },
  );
});

/** Lets `/r` start from these answers, in a world where only hosts under `ours.example` and the fallback host are lines. */
async function expectProvenLine(json: string | undefined): Promise<void> {
  const world = createFakeWorld();
  world.network.lines.set('ours.example', {});
  world.network.lines.set('gone.example', { isDown: true });
  world.network.lines.set('', { headers: { server: 'another' } });
  const finding = findLine({
    ...world,
    fetch: answerFromDocument(json, { fetch: world.network.fetch, now: () => NOW }),
    prober: world.createProber(),
    fallback: ['fallback.ours.example'],
    callerService: '',
    askLinks: () => Promise.resolve(),
    signal: new AbortController().signal,
  });
  await world.clock.advance(40_000);
  const found = await finding;
  expect(found.kind).toBe('found');
  if (found.kind !== 'found') return;
  expect(new URL(found.line.address).hostname).toMatch(/\.ours\.example$/);
  expect(world.network.sent(`${found.line.address}/speed.php`)).toMatchObject([{ state: 'answered' }]);
}

function changeText(text: string, at: number, change: string): string {
  return text.slice(0, at) + change + text.slice(at + change.length);
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return ''; // A circle, or a big integer.
  }
}
