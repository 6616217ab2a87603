import { expect, test, vi } from 'vitest';
import { createFakeClock } from '../../engine/testing/create-fake-clock.ts';
import type { WorkerRequest } from '../kit/worker-scope.ts';
import { createStayWorker } from './create-stay-worker.ts';

const OWN = 'https://www20000.own.example:9900';
const PORTAL = 'https://portal.example';
const SIBLING = 'https://www20833.a.example:9900';
const RULES = { marker: 'm', markerHeader: 'server', ports: [9900], fallback: [], mayKeep: true };

type Answers = Readonly<Record<string, (signal: AbortSignal | undefined) => Response | Promise<Response>>>;

const fail = (): Promise<Response> => Promise.reject(new TypeError('network'));
const prove = (): Response => new Response('ok', { headers: { server: 'm' } });
const list = (rules: object = RULES): Response =>
  new Response('["a.example"]', { headers: { 'Waypost-Stay': JSON.stringify(rules) } });

/** A worker whose own line is dead, with one sibling that is well. Whatever is not answered fails. */
function openWorker(given: Answers = {}, { isRaced = false, mayFail = true } = {}) {
  const clock = createFakeClock();
  const answers: Answers = {
    [`${PORTAL}/api/hostnames`]: () => list(),
    [`${SIBLING}/speed.php`]: prove,
    ...given,
  };
  const sent: string[] = [];
  const stored = new Map<string, string>();
  const told: unknown[] = [];
  const storage = { isFull: false };
  const worker = createStayWorker({
    own: OWN,
    isRaced,
    mayFail,
    now: clock.now,
    setTimer: clock.setTimer,
    random: () => 0,
    languages: ['en'],
    tellPages: async (message) => void told.push(message),
    fetch: async (input, init) => {
      const { method = 'GET' } = input instanceof Request ? input : (init ?? {});
      const url = input instanceof Request ? input.url : String(input);
      sent.push(`${method} ${url}`);
      return (answers[url] ?? fail)(init?.signal ?? undefined);
    },
    // The two methods that are used.
    caches: {
      open: async () =>
        ({
          match: async (key: string) => (stored.has(key) ? new Response(stored.get(key)) : undefined),
          put: async (key: string, value: Response) => {
            if (storage.isFull) throw new DOMException('full', 'QuotaExceededError');
            stored.set(key, await value.text());
          },
        }) as unknown as Cache,
    },
  });
  const ask = (
    path: string,
    init: RequestInit & { mode?: RequestMode; destination?: string; origin?: string } = {},
  ) => {
    const { mode = 'navigate', destination = 'document', origin = OWN, ...rest } = init;
    const request = Object.defineProperties(new Request(origin + path, rest), {
      mode: { value: mode },
      destination: { value: destination },
    });
    const event: WorkerRequest = {
      request,
      preloadResponse: Promise.resolve(undefined),
      waitUntil: (work) => void work.catch(() => undefined),
    };
    return worker.answer(event);
  };
  return {
    worker,
    ask,
    sent,
    stored,
    storage,
    told,
    clock,
    count: (part: string) => sent.filter((each) => each.includes(part)).length,
  };
}

test('asks for siblings at most once an hour', async () => {
  const { worker, clock, count } = openWorker();
  for (const ms of [0, 3_599_000, 2_000]) {
    await clock.advance(ms);
    await worker.keep(PORTAL);
  }
  expect(count('/api/hostnames')).toBe(2);
});

test('asks once an hour, too, after the portal has refused the visitor, and keeps nothing else', async () => {
  const { worker, stored, count } = openWorker({
    [`${PORTAL}/api/hostnames`]: () => new Response('', { status: 451 }),
  });
  await worker.keep(PORTAL);
  await worker.keep(PORTAL);
  expect(count('/api/hostnames')).toBe(1);
  expect([...stored.values()]).toEqual([expect.stringMatching(/^\{"askedAt":\d+\}$/)]);
});

test('moves nobody whom the portal refuses, although the storage is too full to note it', async () => {
  let answer = list();
  const { worker, ask, storage } = openWorker({ [`${PORTAL}/api/hostnames`]: () => answer });
  await worker.keep(PORTAL);
  storage.isFull = true;
  answer = new Response('', { status: 451 });
  await expect(ask('/page')).rejects.toThrow('network');
});

test('does not use siblings of more than a day ago', async () => {
  const { worker, ask, clock } = openWorker();
  await worker.keep(PORTAL);
  const moved = await ask('/page?a=b#c');
  expect(moved?.headers.get('Location')).toBe(`${SIBLING}/page?a=b#c`);
  const late = openWorker();
  await late.worker.keep(PORTAL);
  await late.clock.advance(86_400_000);
  late.sent.length = 0;
  await late.ask('/page')?.catch(() => undefined);
  // The list is the portal's own, of this moment: the kept one is too old to be raced before it.
  expect(late.sent.findIndex((each) => each.includes('hostnames'))).toBeLessThan(
    late.sent.findIndex((each) => each.includes('a.example')),
  );
  await clock.settle();
});

test.each([
  ['gives up its own request once it has led to a sibling, where the browser sends it anyway', true],
  ['changes nothing of a request that it sends itself', false],
])('a line that hangs: the worker %s', async (_, isRaced) => {
  const asked: (AbortSignal | undefined)[] = [];
  const hang = (signal: AbortSignal | undefined): Promise<Response> => {
    asked.push(signal);
    return new Promise(() => undefined);
  };
  const { worker, ask, clock } = openWorker({ [`${OWN}/page`]: hang }, { isRaced });
  await worker.keep(PORTAL);
  const moved = ask('/page');
  await clock.advance(4_000);
  expect((await moved)?.headers.get('Location')).toBe(`${SIBLING}/page`);
  expect(asked.map((signal) => signal?.aborted)).toEqual([isRaced ? true : undefined]);
});

test('sends a form once, and says that the outcome is not known', async () => {
  const { worker, ask, count } = openWorker();
  await worker.keep(PORTAL);
  const page = await ask('/form', { method: 'POST', body: 'a=b' });
  expect(page?.status).toBe(503);
  expect(await page?.text()).toContain(`href="${SIBLING}/form"`);
  expect(count('POST')).toBe(1);
});

test('answers with a page of its own where the browser takes no failure, and passes on what the line answers', async () => {
  const answers = {
    [`${SIBLING}/speed.php`]: fail,
    [`${OWN}/late`]: () => new Response('late', { status: 502 }),
  };
  const { worker, ask, count } = openWorker(answers, { mayFail: false });
  await worker.keep(PORTAL);
  const page = await ask('/page?a=b#c');
  expect(page?.status).toBe(503);
  expect(await page?.text()).toMatch(
    /check your network.*href="https:\/\/www20000\.own\.example:9900\/page\?a=b"/,
  );
  const form = await ask('/form', { method: 'POST', body: 'a=b' });
  expect(await form?.text()).toContain('may or may not have been carried out');
  expect(count('POST')).toBe(1);
  expect(await (await ask('/late'))?.text()).toBe('late');
});

test('keeps itself running in Firefox while a page waits for what its script asked for', async () => {
  let answer: (response: Response) => void = () => undefined;
  const slow = () => new Promise<Response>((resolve) => (answer = resolve));
  const { ask, told, clock } = openWorker({ [`${OWN}/poll`]: slow }, { mayFail: false });
  const polled = ask('/poll', { mode: 'cors', destination: '' });
  await clock.advance(41_000);
  expect(told).toEqual([{ type: 'waypost:hold' }, { type: 'waypost:hold' }]);
  answer(new Response('news'));
  expect(await (await polled)?.text()).toBe('news');
  await clock.advance(60_000);
  expect(told).toHaveLength(2);
});

test.each(['GET', 'POST'])(
  'answers a %s of a line that hangs before Firefox ends the worker and sends it again',
  async (method) => {
    const hang = () => new Promise<Response>(() => undefined);
    const answers = { [`${SIBLING}/speed.php`]: fail, [`${OWN}/page`]: hang };
    const { worker, ask, clock, count } = openWorker(answers, { mayFail: false });
    await worker.keep(PORTAL);
    const page = ask('/page', { method, ...(method === 'POST' && { body: 'a=b' }) });
    await clock.advance(55_000);
    expect((await page)?.status).toBe(503);
    expect(count(`${method} ${OWN}/page`)).toBe(1);
  },
);

test('touches no request of another origin, no image, no frame, no upload and no event stream', () => {
  const { ask } = openWorker();
  expect(ask('/x.png', { mode: 'no-cors', destination: 'image' })).toBeUndefined();
  expect(ask('/frame', { destination: 'iframe' })).toBeUndefined();
  const script = { mode: 'cors', destination: '' } as const;
  const upload = { 'Content-Type': 'multipart/form-data; boundary=x' };
  expect(ask('/up', { ...script, method: 'POST', headers: upload })).toBeUndefined();
  expect(ask('/up', { method: 'POST', headers: upload })).toBeUndefined();
  expect(ask('/events', { ...script, headers: { Accept: 'text/event-stream' } })).toBeUndefined();
  expect(ask('', { ...script, origin: 'https://evil.example' })).toBeUndefined();
});

test('tells pages that the line is lost after two failed requests in a row', async () => {
  const { worker, ask, told, clock } = openWorker({ [`${OWN}/good`]: () => new Response('ok') });
  await worker.keep(PORTAL);
  const script = { mode: 'cors', destination: '' } as const;
  for (const path of ['/bad', '/good', '/bad']) await ask(path, script)?.catch(() => undefined);
  await clock.settle();
  expect(told).toEqual([]);
  await ask('/bad', script)?.catch(() => undefined);
  await vi.waitFor(() => expect(told).toEqual([{ type: 'waypost:line-lost', address: SIBLING }]));
});

test('does nothing where no page has named a portal', async () => {
  const { ask, sent } = openWorker();
  await expect(ask('/page')).rejects.toThrow('network');
  expect(sent).toEqual([`GET ${OWN}/page`]);
});
