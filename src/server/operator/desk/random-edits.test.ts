import * as fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { DESK_PATHS } from '../../../contract/paths.ts';
import { tenthOf } from '../../../engine/testing/tenth-of.ts';
import { createApp } from '../../http/create-app.ts';
import { type OperatorEnv, findOperatorRequest } from '../access/operator-request.ts';
import { parseSite } from '../../site/parse-site.ts';
import { askApp } from '../../testing/ask-app.ts';
import { openTestDesk } from '../../testing/test-desk.ts';
import { answerRefusal } from '../answer-refusal.ts';
import { addDeskRoutes } from './desk-routes.ts';

const EDITS = tenthOf(10_000);

type Sent = { readonly path: string; readonly body: object | string };
type Call = { readonly name: string; readonly sent: Sent };

const host = fc.constantFrom(
  'a.example',
  'b.example',
  'c.example:9900',
  'http://d.example',
  'not a host',
  '',
);
const anyJson = fc.jsonValue({ maxDepth: 3 });
const path = fc.oneof(
  fc.constantFrom<(string | number)[]>(
    ['theme', 'accent'],
    ['lines', 'hosts'],
    ['lines', 'hosts', 0],
    ['lines', 'marker'],
    ['brand', 'name'],
    ['announcement'],
    ['compliance', 'minimumAge'],
    [],
  ),
  fc.array(fc.oneof(fc.constantFrom('lines', 'hosts', 'images', '__proto__', 'logo'), fc.nat(5)), {
    maxLength: 4,
  }),
);
const edit = fc.oneof(
  fc.record({ path, value: fc.oneof(anyJson, host, fc.constantFrom('#123456', 18, 'text')) }),
  fc.record({ path }),
  fc.record({
    path: fc.constant(['theme', 'accent']),
    value: fc.constantFrom('#111111', '#222222', '#333333'),
  }),
  fc.record({ path: fc.constant(['lines', 'hosts']), value: fc.uniqueArray(host, { minLength: 1 }) }),
  fc.record({ path: fc.constant(['lines', 'hosts', 0]), value: host, insert: fc.constant(true) }),
);
const file = fc.constantFrom('site.json', 'json/link.json', 'json/urls/go.json', 'images/x.svg', '../x.json');
const content = fc.oneof(
  fc.constantFrom('{}', '{"a":"a.example"}', '{', '<svg xmlns="http://www.w3.org/2000/svg"/>', '<script/>'),
  anyJson.map((value) => JSON.stringify(value)),
);
const draft = fc.constantFrom('own', 'folder');
const number = fc.integer({ min: 1, max: 8 });

const call: fc.Arbitrary<Sent> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      path: fc.constant(DESK_PATHS.edit),
      body: fc.record({ file, edits: fc.array(edit, { minLength: 1, maxLength: 3 }) }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ path: file.map((name) => `${DESK_PATHS.putFile}?path=${name}`), body: content }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ path: fc.constant(DESK_PATHS.removeFile), body: fc.record({ path: file }) }),
  },
  { weight: 2, arbitrary: fc.record({ path: fc.constant(DESK_PATHS.discard), body: fc.record({ draft }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      path: fc.constant(DESK_PATHS.rebase),
      body: fc.record({ draft, keep: fc.constantFrom('mine', 'theirs') }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      path: fc.constant(DESK_PATHS.publish),
      body: fc.record({ draft, why: fc.string({ maxLength: 9 }), basedOn: fc.constant(0) }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      path: fc.constant(DESK_PATHS.restore),
      body: fc.record({ number, why: fc.constant(''), basedOn: fc.constant(0) }),
    }),
  },
);
const calls = fc.array(
  fc.tuple(fc.constantFrom('adam', 'eve'), call).map(([name, sent]): Call => ({ name, sent })),
  { minLength: EDITS, maxLength: EDITS },
);

test(`after each of ${EDITS} random edits by two people, what is served is valid`, async () => {
  const { desk, siteDir, keeper, stores, clock } = await openTestDesk();
  const log = pino({ level: 'silent' });
  const app = createApp<OperatorEnv>(log, answerRefusal);
  app.use(findOperatorRequest(keeper.current));
  addDeskRoutes(app, {
    desk,
    preview: undefined,
    testBy: async () => ({ status: 200, words: '' }),
    check: { siteDir, askLine: undefined, now: () => clock.now },
    audit: { write: () => undefined },
    access: {
      demand: ({ header }) => ({
        name: header('name') ?? '',
        role: 'editor',
        kind: 'token',
        person: undefined,
        session: undefined,
      }),
    },
    log,
  });
  const owned = JSON.stringify(keeper.current().config.compliance);
  const statuses = new Map<number, number>();
  const [sequence = []] = fc.sample(calls, 1);
  for (const {
    name,
    sent: { path: called, body },
  } of sequence) {
    const before = await stores.versions.currentNumber();
    // Mostly what the console would send: the number that it was last told.
    const asked = typeof body === 'object' && 'basedOn' in body ? { ...body, basedOn: before } : body;
    const { status, text } = await askApp(app, called, {
      method: 'POST',
      headers: { name },
      body: typeof asked === 'string' ? asked : JSON.stringify(asked),
    });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status >= 500) throw new Error(`${called} ${JSON.stringify(asked)} was answered ${text}`);
    const current = await stores.versions.currentNumber();
    expect(keeper.current().version).toBe(current);
    if (current === before) continue;
    const files = await stores.files.readFiles((await stores.versions.read(current)).files);
    expect(parseSite(files).faults).toEqual([]);
    // Both are editors.
    expect(JSON.stringify(keeper.current().config.compliance)).toBe(owned);
  }
  expect(await stores.versions.currentNumber()).toBeGreaterThan(EDITS / 100);
  expect([...statuses.keys()].toSorted((a, b) => a - b)).toEqual(expect.arrayContaining([200, 409, 422]));
});
