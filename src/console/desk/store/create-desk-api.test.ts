import { beforeEach, expect, test } from 'vitest';
import { createDeskApi } from './create-desk-api.ts';

const PUBLISH = { draft: 'own', why: 'because', basedOn: 1 } as const;
const VERSION = { number: 2, at: 0, by: 'eve', from: 'console', why: 'because' };

let answers: (Response | Error)[];
/** The keys that were sent. */
let keys: (string | null)[];
let last: number;

beforeEach(() => {
  [answers, keys, last] = [[], [], 0];
});

const api = () =>
  createDeskApi(
    async (_path, init) => {
      keys.push(new Headers(init?.headers).get('Idempotency-Key'));
      const answer = answers.shift() ?? Response.json(VERSION);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    () => `key-${(last += 1)}`,
  );

test('a publication whose answer was lost is sent again with its key, and the next one with another', async () => {
  const { publish } = api();
  const uncertain = { error: { code: 'store-uncertain', message: 'It may have been made.' } };
  answers = [new Error('lost'), Response.json(uncertain, { status: 503 })];
  expect((await publish(PUBLISH)).kind).toBe('lost');
  expect((await publish(PUBLISH)).kind).toBe('refused');
  expect(await publish(PUBLISH)).toEqual({ kind: 'done', data: VERSION });
  await publish(PUBLISH);
  expect(keys).toEqual(['key-1', 'key-1', 'key-1', 'key-2']);
});

test('a call that hangs is lost after a minute, and a file after five', async () => {
  const deadlines = new Map<number, AbortController>();
  const { readState, putFile } = createDeskApi(
    (_path, init) => new Promise((_, reject) => init?.signal?.addEventListener('abort', reject)),
    () => 'key',
    (ms) => {
      const deadline = new AbortController();
      deadlines.set(ms, deadline);
      return deadline.signal;
    },
  );
  const answers = [readState(), putFile('images/a.svg', new Blob())];
  expect([...deadlines.keys()]).toEqual([60_000, 300_000]);
  for (const deadline of deadlines.values()) deadline.abort();
  expect(await Promise.all(answers)).toEqual([{ kind: 'lost' }, { kind: 'lost' }]);
});

test('a publication of something else has a key of its own, as has one that was refused before', async () => {
  const { publish, restore } = api();
  const refused = { error: { code: 'version-conflict', message: 'Look first.' } };
  answers = [new Error('lost'), Response.json(refused, { status: 409 })];
  await publish(PUBLISH);
  await publish({ ...PUBLISH, why: 'another' });
  await publish({ ...PUBLISH, why: 'another' });
  await restore({ number: 1, why: '', basedOn: 1 });
  expect(keys).toEqual(['key-1', 'key-2', 'key-3', 'key-4']);
});
