import { expect, test } from 'vitest';
import type { CheckEvent, JsonEdit } from '../../../contract/desk/desk.ts';
import type { Answer } from '../../live/call-server.ts';
import { SAMPLE_STATE, done, refused, sampleDeskApi, sampleDraft } from '../../testing/sample-desk-api.ts';
import { createDraftStore } from './create-draft-store.ts';
import { type Change, changeValue } from './changes.ts';
import { nameOf, readNames, readValue } from './draft-files.ts';

const change = (value: unknown): Change => ({
  kind: 'edit',
  file: 'site.json',
  makeEdits: () => [{ path: ['publicUrl'], value }],
});

test('a saved field shows what the server has, and the files are checked without being asked', async () => {
  const sent: JsonEdit[] = [];
  const checked: unknown[] = [];
  const store = createDraftStore(
    sampleDeskApi({
      edit: ({ edits }) => {
        sent.push(...edits);
        return done(undefined);
      },
      readDraft: () => done(sampleDraft({ publicUrl: 'https://a.example' })),
      check: (body) => {
        checked.push(body);
        return done(undefined);
      },
    }),
  );
  store.type('url', 'https://a.example');
  expect(await store.save('url', [change('https://a.example')])).toBe(true);
  expect(sent).toEqual([{ path: ['publicUrl'], value: 'https://a.example' }]);
  expect(store.getSnapshot()).toMatchObject({
    typed: {},
    json: { 'site.json': { publicUrl: 'https://a.example' } },
  });
  expect(checked).toEqual([{ draft: 'own', lines: false }]);
});

test('a draft of before is checked when it is opened, and once', async () => {
  const checked: unknown[] = [];
  const draft = { basedOn: 3, revision: 1, at: 0, hash: 'a', changes: [] };
  const store = createDraftStore(
    sampleDeskApi({
      readDraft: () => done({ ...sampleDraft({}), draft }),
      check: (body) => {
        checked.push(body);
        return done(undefined);
      },
    }),
  );
  await store.load();
  await store.load();
  expect(checked).toEqual([{ draft: 'own', lines: false }]);
});

test('what is refused stays in its field, with the reason beside it', async () => {
  const store = createDraftStore(
    sampleDeskApi({ edit: () => refused('edit-refused', 'It cannot be changed.') }),
  );
  store.type('url', 'wrong');
  expect(await store.save('url', [change('wrong')])).toBe(false);
  expect(store.getSnapshot().typed).toMatchObject({
    url: { value: 'wrong', problem: { code: 'edit-refused', message: 'It cannot be changed.' } },
  });
});

test('what a button did, and was refused, is told above the parts', async () => {
  const store = createDraftStore(sampleDeskApi({ edit: () => refused('draft-full', 'It is full.') }));
  await store.save('a button', [change('x')]);
  expect(store.getSnapshot()).toMatchObject({
    typed: {},
    outcome: { kind: 'refused', message: 'It is full.' },
  });
});

test.each<Answer<never>>([{ kind: 'lost' }, { kind: 'signed-out' }])(
  'what cannot be sent (%o) is kept, and sent when the operator goes on',
  async (failure) => {
    let answer: Answer<unknown> = failure;
    const sent: unknown[] = [];
    const store = createDraftStore(
      sampleDeskApi({
        edit: ({ edits }) => {
          sent.push(...edits);
          return Promise.resolve(answer);
        },
      }),
    );
    store.type('url', 'https://a.example');
    await store.save('url', [change('https://a.example')]);
    expect(store.getSnapshot()).toMatchObject({
      isSignedOut: failure.kind === 'signed-out',
      typed: { url: { value: 'https://a.example' } },
    });

    answer = { kind: 'done', data: undefined };
    await store.retry();
    expect(sent).toHaveLength(2);
    expect(store.getSnapshot()).toMatchObject({ isSignedOut: false, typed: {} });
  },
);

test('who types on while a field is being saved loses nothing', async () => {
  let resolve: (answer: Answer<unknown>) => void = () => undefined;
  const answered = new Promise<Answer<unknown>>((settle) => {
    resolve = settle;
  });
  const store = createDraftStore(sampleDeskApi({ edit: () => answered }));
  store.type('url', 'one');
  const saving = store.save('url', [change('one')]);
  // The call is under way.
  await Promise.resolve();
  store.type('url', 'one and more');
  resolve({ kind: 'done', data: undefined });
  await saving;
  expect(store.getSnapshot().typed).toEqual({ url: { value: 'one and more', problem: undefined } });
});

test('a field never shows its old value between being saved and being loaded', async () => {
  let draft = sampleDraft({ publicUrl: 'old' });
  const store = createDraftStore(
    sampleDeskApi({
      readDraft: () => done(draft),
      edit: () => {
        draft = sampleDraft({ publicUrl: 'new' });
        return done(undefined);
      },
    }),
  );
  await store.load();
  store.type('url', 'new');
  const shown: unknown[] = [];
  store.subscribe(() => {
    const { typed, json } = store.getSnapshot();
    shown.push(typed['url']?.value ?? readValue(json, { file: 'site.json', path: ['publicUrl'] }));
  });
  await store.save('url', [change('new')]);
  expect(new Set(shown)).toEqual(new Set(['new']));
  expect(store.getSnapshot().typed).toEqual({});
});

test('what is typed while an older text of the field waits for its turn is kept', async () => {
  const store = createDraftStore(sampleDeskApi({}));
  const other = store.save('another field', [change('x')]);
  store.type('url', 'one');
  const saving = store.save('url', [change('one')]);
  store.type('url', 'two');
  await Promise.all([other, saving]);
  expect(store.getSnapshot().typed).toMatchObject({ url: { value: 'two' } });
});

test('what was typed after it could not be sent is kept when the older text is sent again', async () => {
  let answer: Answer<unknown> = { kind: 'lost' };
  const store = createDraftStore(sampleDeskApi({ edit: () => Promise.resolve(answer) }));
  store.type('url', 'one');
  await store.save('url', [change('one')]);
  store.type('url', 'two');
  answer = { kind: 'done', data: undefined };
  await store.retry();
  expect(store.getSnapshot().typed).toMatchObject({ url: { value: 'two' } });
});

test('a field whose draft cannot be loaded shows what was saved, and is not sent twice', async () => {
  let isAway = false;
  let sent = 0;
  const store = createDraftStore(
    sampleDeskApi({
      readDraft: () => (isAway ? Promise.resolve({ kind: 'lost' }) : done(sampleDraft({}))),
      edit: () => {
        sent += 1;
        isAway = true;
        return done(undefined);
      },
    }),
  );
  store.type('url', 'saved');
  await store.save('url', [change('saved')]);
  expect(store.getSnapshot()).toMatchObject({
    typed: { url: { value: 'saved' } },
    outcome: { kind: 'lost' },
  });
  isAway = false;
  await store.retry();
  expect(store.getSnapshot().typed).toEqual({});
  expect(sent).toBe(1);
});

test('a field is known to be on its way until its last text has arrived', async () => {
  const store = createDraftStore(sampleDeskApi({}));
  const first = store.save('url', [change('one')]);
  const second = store.save('url', [change('two')]);
  await first;
  expect(store.isSaving('url')).toBe(true);
  await second;
  expect(store.isSaving('url')).toBe(false);
});

test('changes are sent one after the other, each made of what the one before has brought', async () => {
  let hosts = ['a'];
  const store = createDraftStore(
    sampleDeskApi({
      readDraft: () => done(sampleDraft({ hosts })),
      edit: async ({ edits }) => {
        await Promise.resolve();
        hosts = [...hosts, ...edits.map(({ value }) => String(value))];
        return { kind: 'done', data: undefined };
      },
    }),
  );
  const append: Change = {
    kind: 'edit',
    file: 'site.json',
    makeEdits: (json) => [{ path: [], value: JSON.stringify(json) }],
  };
  await store.load();
  await Promise.all([store.save('one', [append]), store.save('two', [append])]);
  expect(hosts[2]).toContain(String.raw`{\"hosts\":[\"a\"]}`);
});

test('what another window has changed is not changed in its place: the edits are made again', async () => {
  // The other window has removed "a" since this one has loaded the draft.
  const files = { old: ['a', 'b', 'c'], new: ['b', 'c'] };
  let hash: keyof typeof files = 'old';
  const sent: unknown[] = [];
  const store = createDraftStore(
    sampleDeskApi({
      readDraft: () =>
        done({
          ...sampleDraft({ lines: { hosts: files[hash] } }),
          files: [{ path: 'site.json', bytes: 1, hash, isChanged: true }],
        }),
      edit: ({ edits, seen }) => {
        sent.push([seen, ...edits]);
        return seen === hash ? done(undefined) : refused('draft-changed', 'It was changed.');
      },
    }),
  );
  await store.load();
  hash = 'new';
  const hosts = ['lines', 'hosts'];
  const remove: Change = {
    kind: 'edit',
    file: 'site.json',
    makeEdits: (json) => {
      const names = readNames(readValue(json, { file: 'site.json', path: hosts }));
      return [{ path: [...hosts, names.indexOf('b')] }];
    },
  };
  expect(await store.save('remove b', [remove])).toBe(true);
  expect(sent).toEqual([
    ['old', { path: ['lines', 'hosts', 1] }],
    ['new', { path: ['lines', 'hosts', 0] }],
  ]);
  expect(store.getSnapshot().outcome).toBe(undefined);
});

/** A desk whose draft another window has changed since this one has loaded it. It keeps what is sent for the draft as it is now. */
function openChangedDesk(rules: { readonly old: readonly string[]; readonly new: readonly string[] }) {
  let hash: keyof typeof rules = 'old';
  const taken: unknown[] = [];
  const store = createDraftStore(
    sampleDeskApi({
      readDraft: () =>
        done({
          ...sampleDraft({ rules: rules[hash] }),
          files: [{ path: 'site.json', bytes: 1, hash, isChanged: true }],
        }),
      edit: ({ edits, seen }) => {
        if (seen !== hash) return refused('draft-changed', 'It was changed.');
        taken.push(...edits);
        return done(undefined);
      },
    }),
  );
  return { store, taken, change: () => void (hash = 'new') };
}

test('an item is removed where it is, and not what another window has moved into its place', async () => {
  const {
    store,
    taken,
    change: changeElsewhere,
  } = openChangedDesk({ old: ['a', 'b', 'c'], new: ['b', 'c'] });
  await store.load();
  changeElsewhere();
  expect(await store.remove({ file: 'site.json', path: ['rules', 1] })).toBe(true);
  expect(taken).toEqual([{ path: ['rules', 0] }]);
});

test.each(['before the click is sent', 'while the click waits'])(
  'nothing is removed in the place of an item that another window has removed %s',
  async (when) => {
    const {
      store,
      taken,
      change: changeElsewhere,
    } = openChangedDesk({ old: ['a', 'b', 'c'], new: ['a', 'c'] });
    await store.load();
    changeElsewhere();
    if (when === 'while the click waits') void store.load();
    expect(await store.remove({ file: 'site.json', path: ['rules', 1] })).toBe(false);
    expect(taken).toEqual([]);
    expect(store.getSnapshot()).toMatchObject({
      json: { 'site.json': { rules: ['a', 'c'] } },
      outcome: { kind: 'refused', code: 'draft-changed' },
    });
  },
);

test('a removal whose answer was lost does not remove the next item when it is sent again', async () => {
  let rules = ['a', 'b', 'c'];
  let isLost = true;
  const read = () => ({
    ...sampleDraft({ rules }),
    files: [{ path: 'site.json', bytes: 1, hash: rules.join(' '), isChanged: true }],
  });
  const store = createDraftStore(
    sampleDeskApi({
      readDraft: () => done(read()),
      edit: ({ edits, seen }) => {
        if (seen !== rules.join(' ')) return refused('draft-changed', 'It was changed.');
        rules = rules.filter((_, index) => !edits.some(({ path }) => path[1] === index));
        return isLost ? Promise.resolve({ kind: 'lost' }) : done(undefined);
      },
    }),
  );
  await store.load();
  await store.remove({ file: 'site.json', path: ['rules', 0] });
  isLost = false;
  await store.retry();
  expect(rules).toEqual(['b', 'c']);
});

test('a file that was written for another draft is refused, and the draft is loaded', async () => {
  const sent: unknown[] = [];
  const store = createDraftStore(
    sampleDeskApi({
      readDraft: () => done(sampleDraft({ publicUrl: 'theirs' })),
      putFile: (path, _, seen) => {
        sent.push([path, seen]);
        return refused('draft-changed', 'It was changed.');
      },
    }),
  );
  store.type('json', 'mine');
  const put = { kind: 'put', path: 'site.json', content: new Blob(), seen: 'old' } as const;
  expect(await store.save('json', [put])).toBe(false);
  expect(sent).toEqual([['site.json', 'old']]);
  expect(store.getSnapshot()).toMatchObject({
    typed: { json: { value: 'mine', problem: { code: 'draft-changed' } } },
    json: { 'site.json': { publicUrl: 'theirs' } },
  });
});

test('the second click of a double click does not remove the next item of a list', async () => {
  let rules = ['one', 'two'];
  const store = createDraftStore(
    sampleDeskApi({
      readDraft: () => done(sampleDraft({ rules })),
      edit: ({ edits }) => {
        rules = rules.filter((_, index) => !edits.some(({ path }) => path[1] === index));
        return done(undefined);
      },
    }),
  );
  await store.load();
  const first = { file: 'site.json', path: ['rules', 0] };
  expect(await Promise.all([store.remove(first), store.remove(first)])).toEqual([true, false]);
  expect(rules).toEqual(['two']);
});

test('what was typed in an item goes with it, and what was typed behind it stays with its own', async () => {
  let answer: Answer<unknown> = { kind: 'lost' };
  const store = createDraftStore(
    sampleDeskApi({
      readDraft: () => done(sampleDraft({ rules: [{ a: 1 }, { a: 2 }, { a: 3 }] })),
      edit: () => Promise.resolve(answer),
    }),
  );
  await store.load();
  const nameAt = (...path: (string | number)[]) => nameOf({ file: 'site.json', path });
  store.type(nameAt('rules', 1, 'a'), 'x', 'noNumber');
  store.type(nameAt('rules', 2, 'a'), '4');
  // It could not be sent, and would be sent to this place again.
  await store.save(nameAt('rules', 2, 'a'), [changeValue({ file: 'site.json', path: ['rules', 2, 'a'] }, 4)]);
  store.type(nameAt('rules', 0, 'a'), '5');
  store.type('new rule', 'y');
  answer = { kind: 'done', data: undefined };
  await store.remove({ file: 'site.json', path: ['rules', 1] });
  expect(store.getSnapshot().typed).toMatchObject({
    [nameAt('rules', 0, 'a')]: { value: '5' },
    [nameAt('rules', 1, 'a')]: { value: '4' },
    'new rule': { value: 'y' },
  });
  expect(Object.keys(store.getSnapshot().typed)).toHaveLength(3);
  await store.retry();
  // Nothing was sent to the old place, so it still waits in its field.
  expect(store.getSnapshot().typed[nameAt('rules', 1, 'a')]).toMatchObject({ value: '4' });
});

test('a file that changes again and again is given up after the third try', async () => {
  let sent = 0;
  const store = createDraftStore(
    sampleDeskApi({
      edit: () => {
        sent += 1;
        return refused('draft-changed', 'It was changed.');
      },
    }),
  );
  expect(await store.save('a button', [change('x')])).toBe(false);
  expect(sent).toBe(3);
  expect(store.getSnapshot().outcome).toMatchObject({ kind: 'refused', code: 'draft-changed' });
});

test('a publication tells its version, and from which one it came', async () => {
  const bodies: unknown[] = [];
  const store = createDraftStore(
    sampleDeskApi({
      publish: (body) => {
        bodies.push(body);
        return done({ ...SAMPLE_STATE.current, number: 4 });
      },
    }),
  );
  await store.load();
  expect(await store.publish('blocked')).toBe(true);
  expect(bodies).toEqual([{ draft: 'own', why: 'blocked', basedOn: 3 }]);
  expect(store.getSnapshot().outcome).toMatchObject({ kind: 'published', version: { number: 4 }, before: 3 });
});

test('a publication names the draft that was shown, and shows what another window has added to it', async () => {
  const summary = { basedOn: 3, revision: 1, at: 0, changes: [] };
  let hash = 'shown';
  const bodies: unknown[] = [];
  const changes = [{ kind: 'file', path: 'images/new.svg', what: 'added' }];
  const store = createDraftStore(
    sampleDeskApi({
      readDraft: () => done({ ...sampleDraft({}), draft: { ...summary, hash } }),
      publish: (body) => {
        bodies.push(body);
        return refused('draft-changed', 'It has changed.', { changes });
      },
    }),
  );
  await store.load();
  hash = 'changed';
  // What is loaded between the click and the call was not seen.
  void store.load();
  expect(await store.publish('')).toBe(false);
  expect(bodies).toEqual([{ draft: 'own', why: '', basedOn: 3, seen: 'shown' }]);
  expect(store.getSnapshot()).toMatchObject({
    draft: { draft: { hash: 'changed' } },
    outcome: { kind: 'refused', code: 'draft-changed', changes },
  });
});

test('a draft is not discarded with what another window has added to it', async () => {
  const summary = { basedOn: 3, revision: 1, at: 0, hash: 'shown', changes: [] };
  const bodies: unknown[] = [];
  const store = createDraftStore(
    sampleDeskApi({
      readDraft: () => done({ ...sampleDraft({}), draft: summary }),
      discard: (body) => {
        bodies.push(body);
        return refused('draft-changed', 'It has changed.', { changes: [] });
      },
    }),
  );
  await store.load();
  store.type('url', 'x');
  expect(await store.discard()).toBe(false);
  expect(bodies).toEqual([{ draft: 'own', seen: 'shown' }]);
  expect(store.getSnapshot().typed).toMatchObject({ url: { value: 'x' } });
});

test('a version is brought back over the one that was seen, and not over one that has gone live since', async () => {
  let number = 3;
  const bodies: unknown[] = [];
  const store = createDraftStore(
    sampleDeskApi({
      readState: () => done({ ...SAMPLE_STATE, current: { ...SAMPLE_STATE.current, number } }),
      restore: (body) => {
        bodies.push(body);
        return refused('version-conflict', 'Meanwhile …');
      },
    }),
  );
  await store.load();
  number = 4;
  void store.load();
  await store.restore(2, '');
  expect(bodies).toEqual([{ number: 2, why: '', basedOn: 3 }]);
});

test('a publication that somebody else was before names what both have changed', async () => {
  const conflicts = [{ file: 'site.json', path: 'brand.name' }];
  const store = createDraftStore(
    sampleDeskApi({ publish: () => refused('version-conflict', 'Meanwhile …', { conflicts }) }),
  );
  expect(await store.publish('')).toBe(false);
  expect(store.getSnapshot().outcome).toEqual({ kind: 'conflict', conflicts });
});

test('a discarded draft takes what was typed with it', async () => {
  const store = createDraftStore(sampleDeskApi({ discard: () => done(undefined) }));
  store.type('url', 'x');
  await store.discard();
  expect(store.getSnapshot().typed).toEqual({});
});

test('an ended session is the desk’s matter only if something typed would be lost', () => {
  const store = createDraftStore(sampleDeskApi({}));
  expect(store.signOut()).toBe(false);
  store.type('url', 'x');
  expect(store.signOut()).toBe(true);
  expect(store.getSnapshot().isSignedOut).toBe(true);
});

test('the lines of a check come one by one, and those of an older check do not come any more', async () => {
  const listeners: ((event: CheckEvent) => void)[] = [];
  const ends: (() => void)[] = [];
  const store = createDraftStore(
    sampleDeskApi({
      check: (_, onEvent) => {
        listeners.push(onEvent);
        return new Promise((resolve) => ends.push(() => resolve({ kind: 'done', data: undefined })));
      },
    }),
  );
  const line = (host: string): CheckEvent => ({
    kind: 'line',
    host,
    role: 'line',
    addresses: 1,
    goodAddresses: 1,
    timeMs: 1,
    faults: [],
  });
  const first = store.check({ lines: true });
  const second = store.check({ lines: true });
  listeners[0]?.(line('old'));
  listeners[1]?.({ kind: 'files', faults: [], warnings: [], knownWarnings: [], ownerKeys: [], lines: 2 });
  listeners[1]?.(line('new'));
  expect(store.getSnapshot().checked).toMatchObject({
    isRunning: true,
    files: { lines: 2 },
    lines: [{ host: 'new' }],
  });
  for (const end of ends) end();
  await Promise.all([first, second]);
  expect(store.getSnapshot().checked?.isRunning).toBe(false);
});

test.each<Answer<never>>([
  { kind: 'lost' },
  { kind: 'signed-out' },
  { kind: 'refused', status: 503, code: 'store-away', message: 'It is away.', details: {} },
])(
  'a check that fails (%o) keeps the faults of before, is known to have failed, and is repeated',
  async (failure) => {
    let answer: Answer<undefined> = { kind: 'done', data: undefined };
    const faults = [{ code: 'missing-file', sentences: { en: 'it is missing', 'zh-CN': '缺少' } }] as const;
    const store = createDraftStore(
      sampleDeskApi({
        check: (_, onEvent) => {
          if (answer.kind === 'done')
            onEvent({ kind: 'files', faults, warnings: [], knownWarnings: [], ownerKeys: [], lines: 0 });
          return Promise.resolve(answer);
        },
      }),
    );
    await store.check({ lines: true });
    expect(store.getSnapshot().checked).toMatchObject({ hasFailed: false, files: { faults } });
    answer = failure;
    await store.check({ lines: true });
    expect(store.getSnapshot().checked).toMatchObject({
      isRunning: false,
      hasFailed: true,
      files: { faults },
    });
    answer = { kind: 'done', data: undefined };
    await store.retry();
    expect(store.getSnapshot().checked).toMatchObject({ hasFailed: false, hasLines: true });
  },
);

test('a check that the server could not make is known to have failed, whatever an older one has found', async () => {
  const faults = [{ code: 'missing-file', sentences: { en: 'it is missing', 'zh-CN': '缺少' } }] as const;
  const answers: CheckEvent[][] = [
    [
      { kind: 'files', faults, warnings: [], knownWarnings: [], ownerKeys: [], lines: 0 },
      { kind: 'done', isGood: false },
    ],
    [{ kind: 'done', isGood: false }],
  ];
  const store = createDraftStore(
    sampleDeskApi({
      check: (_, onEvent) => {
        for (const event of answers.shift() ?? []) onEvent(event);
        return done(undefined);
      },
    }),
  );
  await store.check({ lines: true });
  expect(store.getSnapshot().checked).toMatchObject({ hasFailed: false, files: { faults } });
  await store.check({ lines: true });
  expect(store.getSnapshot().checked).toMatchObject({ hasFailed: true, files: { faults } });
});

test('a failed check of the lines is repeated, also if a field must be sent again first', async () => {
  let isAway = true;
  const checked: boolean[] = [];
  const store = createDraftStore(
    sampleDeskApi({
      edit: () => (isAway ? Promise.resolve({ kind: 'lost' }) : done(undefined)),
      check: ({ lines }, onEvent) => {
        checked.push(lines);
        if (isAway) return Promise.resolve({ kind: 'lost' });
        onEvent({ kind: 'done', isGood: true });
        return done(undefined);
      },
    }),
  );
  store.type('url', 'https://a.example');
  await store.save('url', [change('https://a.example')]);
  await store.check({ lines: true });
  isAway = false;
  await store.retry();
  expect(checked.at(-1)).toBe(true);
  expect(store.getSnapshot()).toMatchObject({ typed: {}, checked: { hasFailed: false, hasLines: true } });
});

test('a check that is still under way ends with the draft that it is about', async () => {
  let tell: (event: CheckEvent) => void = () => undefined;
  const store = createDraftStore(
    sampleDeskApi({
      publish: () => done({ ...SAMPLE_STATE.current, number: 4 }),
      check: (_, onEvent, signal) => {
        tell = onEvent;
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'lost' })));
      },
    }),
  );
  const checking = store.check({ lines: true });
  await store.publish('');
  tell({ kind: 'files', faults: [], warnings: [], knownWarnings: [], ownerKeys: [], lines: 2 });
  await checking;
  expect(store.getSnapshot()).toMatchObject({ checked: undefined, outcome: { kind: 'published' } });
});

test('a draft whose site.json is broken can be shown all the same', async () => {
  const store = createDraftStore(
    sampleDeskApi({ readDraft: () => done({ ...sampleDraft({}), json: { 'site.json': '{' } }) }),
  );
  await store.load();
  expect(store.getSnapshot()).toMatchObject({ hasFailed: false, json: {} });
});
