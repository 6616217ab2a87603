import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { StoreAwayError, StoreFullError, UncertainCommitError } from '../store/database.ts';
import { PATIENCE } from '../testing/patience.ts';
import { EDITOR, OWNER, type TestDesk, openTestDesk } from '../testing/test-desk.ts';

const ACCENT = { file: 'site.json', edits: [{ path: ['theme', 'accent'], value: '#5ec28f' }] };
const MARKER = { file: 'site.json', edits: [{ path: ['lines', 'marker'], value: 'other-marker' }] };
const OWN = { draft: 'own' } as const;
const FOLDER_DRAFT = { draft: 'folder' } as const;

const accentOf = ({ keeper }: TestDesk) => keeper.current().config.theme.accent;
const publish = (basedOn: number, why = '') => ({ ...OWN, why, basedOn });

describe('publishing', () => {
  test('makes a draft live as a version with who, when, from where and why', async () => {
    const test = await openTestDesk();
    await test.desk.edit(EDITOR, ACCENT);
    expect(accentOf(test)).toBe('#e0b34c');
    expect(await test.desk.publish(EDITOR, publish(1, 'a green week'))).toEqual({
      number: 2,
      at: test.clock.now,
      by: 'eve',
      from: 'console',
      why: 'a green week',
    });
    expect([accentOf(test), test.keeper.current().version]).toEqual(['#5ec28f', 2]);
    expect(await test.desk.summarize(EDITOR, OWN)).toBeUndefined();
    expect((await test.desk.listVersions()).map(({ number, from }) => [number, from])).toEqual([
      [2, 'console'],
      [1, 'start'],
    ]);
  });

  test('never writes to the site folder', async () => {
    const test = await openTestDesk();
    const before = await readFile(join(test.siteDir, 'site.json'), 'utf8');
    const names = await readdir(test.siteDir, { recursive: true });
    await test.desk.edit(EDITOR, ACCENT);
    await test.desk.publish(EDITOR, publish(1));
    expect(await readFile(join(test.siteDir, 'site.json'), 'utf8')).toBe(before);
    expect(await readdir(test.siteDir, { recursive: true })).toEqual(names);
  });

  test('refuses what is not valid, with every fault and its place, and changes nothing', async () => {
    const test = await openTestDesk();
    const before = test.keeper.current();
    await test.desk.edit(EDITOR, {
      file: 'site.json',
      edits: [{ path: ['lines', 'hosts', 2], value: 'https://a.b/c' }],
    });
    await expect(test.desk.publish(EDITOR, publish(1))).rejects.toMatchObject({
      code: 'draft-invalid',
      details: {
        faults: [{ code: 'invalid-value', place: { file: 'site.json', path: ['lines', 'hosts', 2] } }],
      },
    });
    expect(test.keeper.current()).toBe(before);
    expect(await test.desk.summarize(EDITOR, OWN)).toMatchObject({ basedOn: 1 });
  });

  test('refuses a draft without changes, and one that was changed back', async () => {
    const test = await openTestDesk();
    await expect(test.desk.publish(EDITOR, publish(1))).rejects.toMatchObject({ code: 'nothing-changed' });
    await test.desk.edit(EDITOR, ACCENT);
    await test.desk.edit(EDITOR, {
      file: 'site.json',
      edits: [{ path: ['theme', 'accent'], value: '#e0b34c' }],
    });
    expect(await test.desk.summarize(EDITOR, OWN)).toBeUndefined();
  });

  test('is refused with the difference if somebody else published meanwhile', async () => {
    const test = await openTestDesk();
    await test.desk.edit(EDITOR, ACCENT);
    await test.desk.edit(OWNER, MARKER);
    await test.desk.publish(OWNER, publish(1));
    for (const basedOn of [1, 2]) {
      await expect(test.desk.publish(EDITOR, publish(basedOn))).rejects.toMatchObject({
        code: 'version-conflict',
        details: {
          current: { number: 2, by: 'otto' },
          changes: [{ kind: 'value', path: 'lines.marker', after: '"other-marker"' }],
          conflicts: [],
        },
      });
    }
    expect(accentOf(test)).toBe('#e0b34c');
    await test.desk.rebase(EDITOR, OWN);
    await test.desk.publish(EDITOR, publish(2));
    expect([accentOf(test), test.keeper.current().config.lines.marker]).toEqual(['#5ec28f', 'other-marker']);
  });

  test('of two at once lets one through', async () => {
    const test = await openTestDesk();
    await test.desk.edit(EDITOR, ACCENT);
    await test.desk.edit(OWNER, MARKER);
    const outcomes = await Promise.allSettled([
      test.desk.publish(EDITOR, publish(1)),
      test.desk.publish(OWNER, publish(1)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await test.stores.versions.currentNumber()).toBe(2);
  });

  test('by somebody whose draft changes meanwhile is refused', async () => {
    const test = await openTestDesk();
    await test.desk.edit(EDITOR, ACCENT);
    const publishing = test.desk.publish(EDITOR, publish(1));
    await test.desk.edit(EDITOR, MARKER);
    await expect(publishing).rejects.toMatchObject({ code: 'draft-changed' });
    expect(await test.stores.versions.currentNumber()).toBe(1);
  });
});

test('a draft that is another one than was seen is neither published nor discarded', async () => {
  const test = await openTestDesk();
  await test.desk.edit(EDITOR, ACCENT);
  const shown = await test.desk.summarize(EDITOR, OWN);
  await test.desk.edit(EDITOR, MARKER);
  const body = { ...publish(1), seen: shown?.hash };
  await expect(test.desk.publish(EDITOR, body)).rejects.toMatchObject({
    code: 'draft-changed',
    details: { changes: [{ path: 'theme.accent' }, { path: 'lines.marker' }] },
  });
  expect(await test.stores.versions.currentNumber()).toBe(1);
  await expect(test.desk.discard(EDITOR, { ...OWN, seen: shown?.hash })).rejects.toMatchObject({
    code: 'draft-changed',
  });
  const now = await test.desk.summarize(EDITOR, OWN);
  expect(await test.desk.publish(EDITOR, { ...publish(1), seen: now?.hash })).toMatchObject({ number: 2 });
});

test('a file that was written for another one than there is now is refused, unless it is there already', async () => {
  const test = await openTestDesk();
  const read = async () => {
    const { files, json } = await test.desk.readDraft(EDITOR, OWN);
    return { hash: files.find(({ path }) => path === 'site.json')?.hash, text: json['site.json'] ?? '' };
  };
  const { hash: seen, text } = await read();
  const put = (marker: string) =>
    test.desk.putFile(EDITOR, 'site.json', Buffer.from(text.replace('#e0b34c', marker)), seen);
  await put('#111111');
  await put('#111111');
  await expect(put('#222222')).rejects.toMatchObject({ code: 'draft-changed' });
  expect((await read()).text).toContain('#111111');
});

test('an edit that was made for another file than there is now is refused, and changes nothing', async () => {
  const test = await openTestDesk();
  const read = async () => {
    const { files, json } = await test.desk.readDraft(EDITOR, OWN);
    return { hash: files.find(({ path }) => path === 'site.json')?.hash, text: json['site.json'] };
  };
  const { hash: seen } = await read();
  await test.desk.edit(EDITOR, { ...ACCENT, seen });
  const { text } = await read();
  await expect(test.desk.edit(EDITOR, { ...MARKER, seen })).rejects.toMatchObject({ code: 'draft-changed' });
  expect((await read()).text).toBe(text);
});

describe('what reaches beyond the pages', () => {
  const edits = [{ path: ['monitoring'], value: { intakeUrl: 'https://intake.example/' } }];

  test.each([
    ['network', { trustedProxies: ['10.0.0.0/8'] }],
    ['services', { callerAddress: 'https://ip.example' }],
    ['analytics', { measurementId: 'G-1' }],
    ['monitoring', { intakeUrl: 'https://intake.example/' }],
    ['consent', 'required'],
    ['limits', { exempt: ['0.0.0.0/0'] }],
    ['typeRedirect', { allowedHosts: ['elsewhere.example'] }],
    ['alerts', { channels: [{ name: 'night', kind: 'webhook', url: 'https://alerts.example/' }] }],
  ])('%s is changed by an owner only', async (key, value) => {
    const test = await openTestDesk();
    for (const person of [EDITOR, OWNER]) {
      await test.desk.edit(person, { file: 'site.json', edits: [{ path: [key], value }] });
    }
    await expect(test.desk.publish(EDITOR, publish(1))).rejects.toMatchObject({
      code: 'owner-required',
      details: { keys: [key] },
    });
    expect(await test.desk.publish(OWNER, publish(1))).toMatchObject({ number: 2, by: 'otto' });
  });

  test.each([
    ['compliance', ['compliance', 'minimumAge'], 21],
    ['lines.health', ['lines', 'health'], { path: '/latest/meta-data', expect: { text: 'a' } }],
    ['lines.markerHeader', ['lines', 'markerHeader'], 'x-consul-index'],
  ])('%s is changed by an owner only, in any of its parts', async (key, path, value) => {
    const test = await openTestDesk();
    await test.desk.edit(EDITOR, { file: 'site.json', edits: [{ path, value }] });
    await expect(test.desk.publish(EDITOR, publish(1))).rejects.toMatchObject({
      code: 'owner-required',
      details: { keys: [key] },
    });
  });

  test('is refused to an editor who uploads the whole file, with a sentence that names the key', async () => {
    const test = await openTestDesk();
    const config = JSON.parse(String((await test.desk.readFiles(EDITOR, OWN)).get('site.json')));
    config.limits = { apiPerMinute: 1 };
    await test.desk.putFile(EDITOR, 'site.json', Buffer.from(JSON.stringify(config)));
    await expect(test.desk.publish(EDITOR, publish(1))).rejects.toThrow(
      'Only an owner may change limits of site.json.',
    );
    expect(await test.stores.versions.currentNumber()).toBe(1);
  });

  test('the rest of lines is an editor’s', async () => {
    const test = await openTestDesk();
    await test.desk.edit(EDITOR, MARKER);
    expect(await test.desk.publish(EDITOR, publish(1))).toMatchObject({ number: 2 });
  });

  test('is compared by its values: another order and written defaults change nothing', async () => {
    const test = await openTestDesk();
    const config = JSON.parse(String((await test.desk.readFiles(EDITOR, OWN)).get('site.json')));
    config.compliance = Object.fromEntries(Object.entries(config.compliance).toReversed());
    config.monitoring = { ...config.monitoring, sessionPercent: 100 };
    await test.desk.putFile(EDITOR, 'site.json', Buffer.from(JSON.stringify(config)));
    await test.desk.publish(EDITOR, publish(1));
    expect(test.keeper.current().version).toBe(2);
  });

  test('is brought back, and taken from the folder, by an owner only', async () => {
    const test = await openTestDesk();
    await test.desk.edit(OWNER, { file: 'site.json', edits });
    await test.desk.publish(OWNER, publish(1));
    const back = { number: 1, why: '', basedOn: 2 };
    await expect(test.desk.restore(EDITOR, back)).rejects.toMatchObject({ code: 'owner-required' });
    await test.changeFolder({ path: ['analytics'], value: { measurementId: 'G-2' } });
    await test.noticeFolder();
    await test.desk.rebase(EDITOR, FOLDER_DRAFT);
    const taken = { ...FOLDER_DRAFT, why: '', basedOn: 2 };
    await expect(test.desk.publish(EDITOR, taken)).rejects.toMatchObject({ code: 'owner-required' });
    expect(await test.desk.restore(OWNER, back)).toMatchObject({
      number: 3,
      from: 'rollback',
      why: 'version 1',
    });
  });
});

describe('bringing a version back', () => {
  test('makes it live again as a new version', async () => {
    const test = await openTestDesk();
    await test.desk.edit(EDITOR, ACCENT);
    await test.desk.publish(EDITOR, publish(1));
    await test.desk.restore(EDITOR, { number: 1, why: 'gold was better', basedOn: 2 });
    expect([accentOf(test), test.keeper.current().version]).toEqual(['#e0b34c', 3]);
    expect(await test.desk.compare(1, 3)).toEqual([]);
    expect(await test.desk.compare(1, 2)).toEqual([
      { kind: 'value', file: 'site.json', path: 'theme.accent', before: '"#e0b34c"', after: '"#5ec28f"' },
    ]);
  });

  test('is refused for one that is not there, or live, or if somebody published meanwhile', async () => {
    const test = await openTestDesk();
    const restore = (number: number, basedOn = 1) => test.desk.restore(OWNER, { number, why: '', basedOn });
    await expect(restore(9)).rejects.toMatchObject({ code: 'unknown-version' });
    await expect(restore(1)).rejects.toMatchObject({ code: 'nothing-changed' });
    await expect(restore(1, 5)).rejects.toMatchObject({ code: 'version-conflict' });
  });
});

describe('a draft', () => {
  test('survives a restart, and belongs to one person', async () => {
    const test = await openTestDesk();
    await test.desk.edit(EDITOR, ACCENT);
    const { desk } = await test.reopen();
    expect(await desk.summarize(OWNER, OWN)).toBeUndefined();
    expect(await desk.summarize(EDITOR, OWN)).toMatchObject({
      basedOn: 1,
      changes: [{ path: 'theme.accent' }],
    });
    await desk.discard(EDITOR, OWN);
    expect(await desk.summarize(EDITOR, OWN)).toBeUndefined();
  });

  test('is not seen by another person who gets the name later', async () => {
    const test = await openTestDesk();
    const before = { ...EDITOR, since: 1_000 };
    const after = { ...EDITOR, since: 2_000 };
    await test.desk.edit(before, ACCENT);
    const { desk } = await test.reopen();
    expect(await desk.summarize(before, OWN)).toMatchObject({ basedOn: 1 });
    expect(await desk.summarize(after, OWN)).toBeUndefined();
    expect(await desk.hasDraft(after)).toBe(false);
    expect(String((await desk.readFiles(after, OWN)).get('site.json'))).not.toContain('#5ec28f');
    await expect(desk.publish(after, publish(1))).rejects.toMatchObject({ code: 'nothing-changed' });
    // The first change takes the place of what was left behind.
    await desk.edit(after, MARKER);
    expect(await desk.summarize(after, OWN)).toMatchObject({ changes: [{ path: 'lines.marker' }] });
    expect(await desk.summarize(before, OWN)).toBeUndefined();
  });

  test('takes files, shows them with the rest, and gives them up again', async () => {
    const test = await openTestDesk();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await Promise.all([
      test.desk.putFile(EDITOR, 'images/new.svg', svg),
      test.desk.putFile(EDITOR, 'json/urls/go.json', Buffer.from('{"a":"line1.example"}')),
    ]);
    await test.desk.removeFile(EDITOR, 'json/urls/localhost.json');
    const { files, json } = await test.desk.readDraft(EDITOR, OWN);
    const changed = files.filter(({ isChanged }) => isChanged).map(({ path, bytes }) => `${path} ${bytes}`);
    expect(changed.toSorted()).toEqual([`images/new.svg ${svg.length}`, 'json/urls/go.json 21']);
    expect(Object.keys(json)).not.toContain('json/urls/localhost.json');
    expect(json['json/urls/go.json']).toBe('{"a":"line1.example"}');
    await test.desk.removeFile(EDITOR, 'images/new.svg');
    expect((await test.desk.summarize(EDITOR, OWN))?.changes).toHaveLength(2);
    await expect(test.desk.removeFile(EDITOR, 'nothing.json')).rejects.toMatchObject({
      code: 'unknown-file',
    });
  });

  test('keeps what another portal has changed while this one takes its only change back', async () => {
    const meanwhile: (() => Promise<void>)[] = [];
    const one = await openTestDesk({
      wrap: (database) => ({
        ...database,
        transaction: async (work) => {
          await meanwhile.shift()?.();
          return database.transaction(work);
        },
      }),
    });
    const two = await one.reopen({ wrap: (database) => database });
    await one.desk.edit(EDITOR, ACCENT);
    meanwhile.push(() => two.desk.edit(EDITOR, MARKER));
    const back = { file: 'site.json', edits: [{ path: ['theme', 'accent'], value: accentOf(one) }] };
    await one.desk.edit(EDITOR, back);
    expect((await one.desk.summarize(EDITOR, OWN))?.changes).toMatchObject([{ path: 'lines.marker' }]);
  });

  test('holds no more than 50 MB', async () => {
    const test = await openTestDesk();
    const image = Buffer.alloc(5_000_000);
    image.write('\x89PNG\r\n\x1a\n', 'latin1');
    for (let number = 0; number < 10; number += 1) {
      image.writeUInt32BE(number, 30);
      await test.desk.putFile(EDITOR, `images/${number}.png`, image);
    }
    image.writeUInt32BE(10, 30);
    await expect(test.desk.putFile(EDITOR, 'images/10.png', image)).rejects.toMatchObject({
      code: 'draft-full',
    });
    expect((await test.desk.summarize(EDITOR, OWN))?.changes).toHaveLength(10);
  });

  test('that is stopped by a conflict is as it was, until its owner says what stays', async () => {
    const test = await openTestDesk();
    await test.desk.edit(EDITOR, ACCENT);
    await test.desk.edit(OWNER, {
      file: 'site.json',
      edits: [{ path: ['theme', 'accent'], value: '#111111' }],
    });
    await test.desk.publish(OWNER, publish(1));
    await expect(test.desk.rebase(EDITOR, OWN)).rejects.toMatchObject({
      code: 'draft-conflict',
      details: { conflicts: [{ file: 'site.json', path: 'theme.accent' }] },
    });
    expect(await test.desk.summarize(EDITOR, OWN)).toMatchObject({ basedOn: 1 });
    await test.desk.rebase(EDITOR, { ...OWN, keep: 'mine' });
    await test.desk.publish(EDITOR, publish(2));
    expect(accentOf(test)).toBe('#5ec28f');
  });
});

/** A desk whose database fails as the test says. */
async function openFailingDesk(): Promise<TestDesk & { readonly fault: { now: Error | undefined } }> {
  const fault: { now: Error | undefined } = { now: undefined };
  const test = await openTestDesk({
    wrap: (database) => ({
      ...database,
      transaction: async (work) => {
        if (fault.now === undefined) return database.transaction(work);
        // Of such a commit, only the answer is lost.
        if (fault.now instanceof UncertainCommitError) await database.transaction(work);
        throw fault.now;
      },
    }),
  });
  return { ...test, fault };
}

test.each([new StoreAwayError('away'), new StoreFullError('full')])(
  'a database that is $message changes nothing',
  async (error) => {
    const test = await openFailingDesk();
    await test.desk.edit(EDITOR, ACCENT);
    test.fault.now = error;
    await expect(test.desk.publish(EDITOR, publish(1))).rejects.toBe(error);
    await expect(test.desk.edit(EDITOR, MARKER)).rejects.toBe(error);
    expect([accentOf(test), await test.stores.versions.currentNumber()]).toEqual(['#e0b34c', 1]);
    test.fault.now = undefined;
    await test.desk.publish(EDITOR, publish(1));
    expect([accentOf(test), test.keeper.current().config.lines.marker]).toEqual(['#5ec28f', 'waypost-demo']);
  },
);

describe('a publication whose answer was lost', () => {
  async function loseAnswer(): Promise<Awaited<ReturnType<typeof openFailingDesk>>> {
    const test = await openFailingDesk();
    await test.desk.edit(EDITOR, ACCENT);
    test.fault.now = new UncertainCommitError('lost');
    await expect(test.desk.publish(EDITOR, publish(1, 'green'), 'request 1')).rejects.toBe(test.fault.now);
    test.fault.now = undefined;
    return test;
  }

  test('is served a little later', async () => {
    const test = await loseAnswer();
    expect(accentOf(test)).toBe('#e0b34c');
    test.follow();
    await vi.waitFor(() => expect(accentOf(test)).toBe('#5ec28f'), PATIENCE);
    expect(test.keeper.current().version).toBe(2);
  });

  test('is done once, although it is sent again under its name', async () => {
    const test = await loseAnswer();
    const again = await test.desk.publish(EDITOR, publish(1, 'green'), 'request 1');
    expect(again).toMatchObject({ number: 2, by: 'eve', why: 'green' });
    expect(await test.desk.listVersions()).toHaveLength(2);
    // Without its name, or under another one, it is another publication.
    await expect(test.desk.publish(EDITOR, publish(1, 'green'), 'request 2')).rejects.toMatchObject({
      code: 'nothing-changed',
    });
    const back = { number: 1, why: '', basedOn: 2 };
    const twice = [
      test.desk.restore(EDITOR, back, 'request 3'),
      test.desk.restore(EDITOR, back, 'request 3'),
    ];
    expect((await Promise.all(twice)).map(({ number }) => number)).toEqual([3, 3]);
    expect(await test.desk.listVersions()).toHaveLength(3);
  });

  test('from the folder is the folder’s', async () => {
    const test = await openFailingDesk();
    test.follow();
    test.fault.now = new UncertainCommitError('lost');
    await test.changeFolder({ path: ['theme', 'accent'], value: '#5ec28f' });
    await test.noticeFolder();
    test.fault.now = undefined;
    await vi.waitFor(() => expect(accentOf(test)).toBe('#5ec28f'), PATIENCE);
    test.clock.now += 2_000;
    await test.noticeFolder();
    expect([await test.stores.folder.get(), await test.stores.versions.currentNumber()]).toMatchObject([
      { version: 2 },
      2,
    ]);
  });
});

test('a change of the folder that the database could not take goes live when it is back', async () => {
  const test = await openFailingDesk();
  test.fault.now = new StoreAwayError('away');
  await test.changeFolder({ path: ['theme', 'accent'], value: '#5ec28f' });
  await test.noticeFolder();
  expect([accentOf(test), test.keeper.record().refusal]).toMatchObject([
    '#e0b34c',
    { correctedAt: undefined },
  ]);
  test.fault.now = undefined;
  await test.noticeFolder();
  expect(accentOf(test)).toBe('#e0b34c');
  test.clock.now += 2_000;
  await test.noticeFolder();
  expect([accentOf(test), test.keeper.current().version]).toEqual(['#5ec28f', 2]);
});

describe('what is damaged in the database', () => {
  async function openWithTwo(): Promise<TestDesk> {
    const test = await openTestDesk();
    await test.desk.edit(EDITOR, ACCENT);
    await test.desk.publish(EDITOR, publish(1));
    return test;
  }

  test('a file of the current version: the one before is served, the log says so, and it can be brought back', async () => {
    const before = await openWithTwo();
    const { files } = await before.stores.versions.read(2);
    await before.database.change('update files set bytes = $1 where hash = $2', [
      Buffer.from('{}'),
      files['site.json'] ?? '',
    ]);
    const after = await before.reopen();
    expect([accentOf(after), after.keeper.current().version]).toEqual(['#e0b34c', 1]);
    after.follow();
    await vi.waitFor(
      () =>
        expect(after.logged.map(({ msg }) => msg)).toEqual(
          expect.arrayContaining([
            'a version is damaged: the one before it is served',
            expect.stringContaining('the version that is live cannot be served here'),
          ]),
        ),
      PATIENCE,
    );
    await after.desk.restore(OWNER, { number: 1, why: '', basedOn: 2 });
    expect([accentOf(after), after.keeper.current().version]).toEqual(['#e0b34c', 3]);
  });

  test('all files: the site folder is served', async () => {
    const before = await openWithTwo();
    await before.database.change('delete from files');
    const after = await before.reopen();
    expect([accentOf(after), after.keeper.current().version]).toEqual(['#e0b34c', 3]);
    expect(accentOf(await after.reopen())).toBe('#e0b34c');
  });
});
