import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useDisk } from './desk-error.ts';
import { UnsyncedError, replaceFile } from '../process/replace-file.ts';
import { EDITOR, OWNER, type TestDesk, openTestDesk } from '../testing/test-desk.ts';

const ACCENT = { file: 'site.json', edits: [{ path: ['theme', 'accent'], value: '#5ec28f' }] };
const MARKER = { file: 'site.json', edits: [{ path: ['lines', 'marker'], value: 'other-marker' }] };
const OWN = { draft: 'own' } as const;
const OUTSIDE = { draft: 'outside' } as const;

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
    expect(test.stores.versions.currentNumber()).toBe(2);
  });

  test('by somebody whose draft changes meanwhile is refused', async () => {
    const test = await openTestDesk();
    await test.desk.edit(EDITOR, ACCENT);
    const publishing = test.desk.publish(EDITOR, publish(1));
    await test.desk.edit(EDITOR, MARKER);
    await expect(publishing).rejects.toMatchObject({ code: 'draft-changed' });
    expect(test.stores.versions.currentNumber()).toBe(1);
  });
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
    expect(test.stores.versions.currentNumber()).toBe(1);
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
    await test.desk.rebase(EDITOR, OUTSIDE);
    const taken = { ...OUTSIDE, why: '', basedOn: 2 };
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
    expect(desk.hasDraft(after)).toBe(false);
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

describe('the disk', () => {
  test.each(['ENOSPC', 'EROFS', 'EACCES'])('that answers %s changes nothing, and is named', async (code) => {
    let fault = '';
    const test = await openTestDesk({
      write: async (path, bytes) => {
        if (fault === '') return replaceFile(path, bytes);
        throw Object.assign(new Error(code), { code, syscall: 'write' });
      },
    });
    await test.desk.edit(EDITOR, ACCENT);
    fault = code;
    await expect(test.desk.publish(EDITOR, publish(1))).rejects.toMatchObject({ code: 'data-folder' });
    await expect(test.desk.edit(EDITOR, MARKER)).rejects.toThrow(
      /^The data folder cannot be used: .*\. Nothing was changed\.$/,
    );
    expect([accentOf(test), test.stores.versions.currentNumber()]).toEqual(['#e0b34c', 1]);
    fault = '';
    await test.desk.publish(EDITOR, publish(1));
    expect(accentOf(test)).toBe('#5ec28f');
  });
});

test('a file that was replaced, although the disk then had a fault, is not called unchanged', async () => {
  let hasFault = false;
  const test = await openTestDesk({
    write: async (path, bytes) => {
      await replaceFile(path, bytes);
      if (hasFault) throw new UnsyncedError(path);
    },
  });
  hasFault = true;
  await expect(test.desk.edit(EDITOR, ACCENT)).rejects.toMatchObject({
    code: 'data-folder',
    message: 'The disk of the data folder has a fault. Look again later: the change may still be made.',
  });
});

describe('a version that became current although the disk had a fault', () => {
  async function openWithFault(): Promise<{ readonly test: TestDesk; readonly failFromNow: () => void }> {
    let hasFault = false;
    const test = await openTestDesk({
      write: async (path, bytes) => {
        await replaceFile(path, bytes);
        if (hasFault && path.endsWith('/current')) throw new UnsyncedError(path);
      },
    });
    return { test, failFromNow: () => (hasFault = true) };
  }

  test('is served a little later, as it will be after a restart', async () => {
    const { test, failFromNow } = await openWithFault();
    await test.desk.edit(EDITOR, ACCENT);
    failFromNow();
    await expect(test.desk.publish(EDITOR, publish(1))).rejects.toMatchObject({ code: 'data-folder' });
    expect([test.stores.versions.currentNumber(), accentOf(test)]).toEqual([2, '#e0b34c']);
    await test.follow();
    expect([test.keeper.current().version, accentOf(test)]).toEqual([2, '#5ec28f']);
    const served = test.keeper.current();
    await test.follow();
    expect(test.keeper.current()).toBe(served);
    expect(accentOf(await test.reopen())).toBe('#5ec28f');
  });

  test('is the folder’s if it came from there', async () => {
    const { test, failFromNow } = await openWithFault();
    failFromNow();
    await test.changeFolder({ path: ['theme', 'accent'], value: '#5ec28f' });
    await test.noticeFolder();
    expect(accentOf(test)).toBe('#e0b34c');
    await test.follow();
    await test.noticeFolder();
    expect(accentOf(test)).toBe('#5ec28f');
    expect(test.stores.outside.get().version).toBe(2);
  });

  test('which cannot be served is told once', async () => {
    const { test, failFromNow } = await openWithFault();
    await test.desk.edit(EDITOR, ACCENT);
    failFromNow();
    await expect(test.desk.publish(EDITOR, publish(1))).rejects.toMatchObject({ code: 'data-folder' });
    await rm(join(test.dir, 'desk/versions/2.json'));
    await test.follow();
    await test.follow();
    expect(test.logged.filter(({ msg }) => msg === 'the current version cannot be served')).toHaveLength(1);
    expect(accentOf(test)).toBe('#e0b34c');
  });
});

test('a disk that hangs is given up, and named', async () => {
  await expect(useDisk(() => new Promise(() => undefined), 10)).rejects.toMatchObject({
    code: 'data-folder',
    message: 'The data folder does not answer. Look again later: the change may still be made.',
  });
});

describe('what is damaged on the disk', () => {
  async function openWithTwo(): Promise<TestDesk> {
    const test = await openTestDesk();
    await test.desk.edit(EDITOR, ACCENT);
    await test.desk.publish(EDITOR, publish(1));
    return test;
  }
  const damageObject = async ({ dir, stores }: TestDesk) => {
    const { files } = await stores.versions.read(2);
    const hash = files['site.json'] ?? '';
    await writeFile(join(dir, 'desk/objects', hash.slice(0, 2), hash.slice(2)), '{}');
  };

  test.each<[name: string, damage: (test: TestDesk) => Promise<void>]>([
    ['a file of the current version', damageObject],
    ['the current version itself', ({ dir }) => writeFile(join(dir, 'desk/versions/2.json'), '{"number":2')],
    ['the current version, which is gone', ({ dir }) => rm(join(dir, 'desk/versions/2.json'))],
  ])('%s: the last good version is served, and the log says so', async (_name, damage) => {
    const before = await openWithTwo();
    await damage(before);
    const after = await before.reopen();
    expect([accentOf(after), after.keeper.current().version]).toEqual(['#e0b34c', 3]);
    expect(after.logged.map(({ msg }) => msg)).toContain(
      'the current version is damaged: an earlier one is served',
    );
    expect((await after.desk.listVersions())[0]).toMatchObject({
      from: 'rollback',
      why: 'version 2 is damaged',
    });
  });

  test('the pointer: the newest version is served', async () => {
    const before = await openWithTwo();
    for (const text of ['', 'two\n', '999999999999\n']) {
      await writeFile(join(before.dir, 'desk/current'), text);
      const after = await before.reopen();
      expect([accentOf(after), after.keeper.current().version]).toEqual(['#5ec28f', 2]);
    }
  });

  test('a version that was written, but not made current, does not count: the next one takes its number', async () => {
    const before = await openWithTwo();
    const second = await readFile(join(before.dir, 'desk/versions/2.json'), 'utf8');
    const { files } = await before.stores.versions.read(1);
    const third = JSON.stringify({ ...JSON.parse(second), number: 3, why: 'killed', files });
    await writeFile(join(before.dir, 'desk/versions/3.json'), third);
    const after = await before.reopen();
    expect([accentOf(after), after.keeper.current().version]).toEqual(['#5ec28f', 2]);
    expect((await after.desk.listVersions()).map(({ number }) => number)).toEqual([2, 1]);
    await after.desk.edit(EDITOR, MARKER);
    await after.desk.publish(EDITOR, publish(2, 'not killed'));
    expect((await after.desk.listVersions())[0]).toMatchObject({ number: 3, why: 'not killed' });
  });

  test('all of it: the site folder is served', async () => {
    const before = await openWithTwo();
    await rm(join(before.dir, 'desk/objects'), { recursive: true });
    const after = await before.reopen();
    expect(accentOf(after)).toBe('#e0b34c');
  });

  test('a draft: it is named, and the others are there', async () => {
    const before = await openTestDesk();
    await before.desk.edit(EDITOR, ACCENT);
    const [name = ''] = await readdir(join(before.dir, 'desk/drafts'));
    await before.desk.edit(OWNER, ACCENT);
    await writeFile(join(before.dir, 'desk/drafts', name), '{');
    const after = await before.reopen();
    expect(await after.desk.summarize(EDITOR, OWN)).toBeUndefined();
    expect(await after.desk.summarize(OWNER, OWN)).toBeDefined();
    expect(after.logged.map(({ msg }) => msg)).toContain('a draft cannot be read');
  });
});

test('files with the same bytes are kept once, and both are in every version', async () => {
  const test = await openTestDesk();
  const [first, second] = ['images/one.svg', 'images/two.svg'];
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>');
  for (const path of [first, second]) await writeFile(join(test.siteDir, path), svg);
  await test.noticeFolder();
  const files = await test.desk.readLive();
  expect([files.get(first), files.get(second)]).toEqual([svg, svg]);
  expect((await readObjects(test)).filter((text) => text === String(svg))).toHaveLength(1);
});

describe('what is old', () => {
  test('is removed beyond 200 versions and 90 days, with its files, and never what a draft is based on', async () => {
    const test = await openTestDesk();
    const { versions } = test.stores;
    const accents = ['#111111', '#222222'];
    const commit = async (count: number) => {
      const { files } = await versions.read(versions.currentNumber());
      for (let each = 0; each < count; each += 1) {
        await versions.commit({ at: test.clock.now, by: '', from: 'console', why: '', files });
      }
    };
    for (const [index, value] of accents.entries()) {
      await test.desk.edit(EDITOR, { file: 'site.json', edits: [{ path: ['theme', 'accent'], value }] });
      await test.desk.publish(EDITOR, publish(index + 1));
    }
    await test.desk.edit(OWNER, MARKER); // Based on version 3.
    await commit(220);
    test.clock.now += 89 * 86_400_000;
    await commit(10);
    await test.desk.prune();
    expect(await test.desk.listVersions()).toHaveLength(233);
    test.clock.now += 2 * 86_400_000;
    await test.desk.prune();
    const left = (await test.desk.listVersions()).map(({ number }) => number);
    // The last 200, the one that the folder is, and the one that the draft is based on.
    expect([left.length, left.at(-3), left.at(-2), left.at(-1)]).toEqual([202, 34, 3, 1]);
    await expect(versions.read(2)).rejects.toMatchObject({ code: 'unknown-version' });
    for (const number of [1, 3, 34]) await versions.readFiles((await versions.read(number)).files);
    const site = (await readObjects(test)).filter((text) => text.includes('"brand"'));
    expect(site.filter((text) => text.includes('#111111'))).toEqual([]);
    await test.desk.rebase(OWNER, OWN);
    expect(await test.desk.summarize(OWNER, OWN)).toMatchObject({ changes: [{ path: 'lines.marker' }] });
  });
});

test.each<[name: string, findPath: (test: TestDesk) => Promise<string>]>([
  ['a version', async ({ dir }) => join(dir, 'desk/versions/1.json')],
  [
    'a draft',
    async ({ dir }) => join(dir, 'desk/drafts', (await readdir(join(dir, 'desk/drafts')))[0] ?? ''),
  ],
])('no file is removed while %s cannot be read', async (_name, findPath) => {
  const first = await openTestDesk();
  await first.desk.edit(EDITOR, ACCENT);
  const path = await findPath(first);
  const whole = await readFile(path);
  await writeFile(path, '{');
  const before = await readObjects(first);
  const second = await first.reopen();
  await second.desk.edit(OWNER, MARKER);
  await second.desk.discard(OWNER, OWN);
  await second.desk.prune();
  expect((await readObjects(first)).length).toBeGreaterThan(before.length);
  await writeFile(path, whole);
  const third = await first.reopen();
  await third.desk.prune();
  expect((await readObjects(first)).toSorted()).toEqual(before.toSorted());
  expect(await third.desk.summarize(EDITOR, OWN)).toMatchObject({ changes: [{ path: 'theme.accent' }] });
});

async function readObjects({ dir }: TestDesk): Promise<readonly string[]> {
  const names = await readdir(join(dir, 'desk/objects'), { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
}
