import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeCountryMmdb } from '../testing/write-mmdb.ts';
import { renderFakePage } from '../testing/fake-web-build.ts';
import { EDITOR, OWNER, type TestDesk, openTestDesk } from '../testing/test-desk.ts';

const FOLDER_DRAFT = { draft: 'folder' } as const;
const MARKER = { file: 'site.json', edits: [{ path: ['lines', 'marker'], value: 'other-marker' }] };

const publishMarker = async ({ desk }: TestDesk) => {
  await desk.edit(EDITOR, MARKER);
  await desk.publish(EDITOR, { draft: 'own', why: '', basedOn: (await desk.current()).number });
};
const setAccent = (value: string) => ({ path: ['theme', 'accent'], value });
const served = ({ keeper }: TestDesk) => {
  const { config, version } = keeper.current();
  return [version, config.theme.accent, config.lines.marker];
};

describe('a change of the site folder', () => {
  test('goes live at once as a version of its own', async () => {
    const test = await openTestDesk();
    await test.changeFolder(setAccent('#5ec28f'));
    await test.noticeFolder();
    expect(served(test)).toEqual([2, '#5ec28f', 'waypost-demo']);
    expect(await test.desk.current()).toMatchObject({ number: 2, from: 'folder', by: '' });
    expect(await test.desk.summarize(OWNER, FOLDER_DRAFT)).toBeUndefined();
  });

  test('becomes a draft once somebody has published in the console, and can be published from there', async () => {
    const test = await openTestDesk();
    await publishMarker(test);
    await test.changeFolder(setAccent('#5ec28f'));
    await test.noticeFolder();
    expect(served(test)).toEqual([2, '#e0b34c', 'other-marker']);
    // What changed in the folder, and not that it lacks what was published here.
    expect(await test.desk.summarize(OWNER, FOLDER_DRAFT)).toMatchObject({
      basedOn: 1,
      changes: [{ path: 'theme.accent', after: '"#5ec28f"' }],
    });
    await expect(test.desk.publish(EDITOR, { ...FOLDER_DRAFT, why: '', basedOn: 2 })).rejects.toMatchObject({
      code: 'version-conflict',
    });
    await test.desk.rebase(EDITOR, FOLDER_DRAFT);
    expect(await test.desk.publish(EDITOR, { ...FOLDER_DRAFT, why: '', basedOn: 2 })).toMatchObject({
      from: 'console',
    });
    expect(served(test)).toEqual([3, '#5ec28f', 'other-marker']);
  });

  test('becomes a draft after a version was brought back, too', async () => {
    const test = await openTestDesk();
    await publishMarker(test);
    await test.desk.restore(OWNER, { number: 1, why: '', basedOn: 2 });
    await test.changeFolder(setAccent('#5ec28f'));
    await test.noticeFolder();
    expect(served(test)).toEqual([3, '#e0b34c', 'waypost-demo']);
    expect(await test.desk.summarize(OWNER, FOLDER_DRAFT)).toBeDefined();
  });

  test('is no draft any more when it is taken back, and none again after a restart once it was discarded', async () => {
    const test = await openTestDesk();
    await publishMarker(test);
    await test.changeFolder(setAccent('#5ec28f'));
    await test.noticeFolder();
    await test.desk.discard(OWNER, FOLDER_DRAFT);
    const after = await test.reopen();
    await after.noticeFolder();
    expect(await after.desk.summarize(OWNER, FOLDER_DRAFT)).toBeUndefined();
    await after.changeFolder(setAccent('#333333'));
    await after.noticeFolder();
    expect(await after.desk.summarize(OWNER, FOLDER_DRAFT)).toBeDefined();
    await after.changeFolder(setAccent('#e0b34c'));
    await after.noticeFolder();
    expect((await after.desk.summarize(OWNER, FOLDER_DRAFT))?.changes ?? []).toEqual([]);
  });

  test('goes live at once again after the folder was made the same as what was published', async () => {
    const test = await openTestDesk();
    await publishMarker(test);
    const files = await test.desk.readFiles(OWNER, { draft: 'own' });
    await writeFile(join(test.siteDir, 'site.json'), files.get('site.json') ?? '');
    await test.noticeFolder();
    expect(served(test)).toEqual([2, '#e0b34c', 'other-marker']);
    await test.changeFolder(setAccent('#5ec28f'));
    await test.noticeFolder();
    expect(served(test)).toEqual([3, '#5ec28f', 'other-marker']);
  });

  test('that is not valid is refused, and is in no version and no draft', async () => {
    const test = await openTestDesk();
    for (const publishesFirst of [false, true]) {
      if (publishesFirst) await publishMarker(test);
      const before = test.keeper.current();
      await writeFile(join(test.siteDir, 'site.json'), `{"brand": ${Number(publishesFirst)}`);
      await test.noticeFolder();
      expect(test.keeper.current()).toBe(before);
      expect(test.keeper.record().refusal?.faults).toMatchObject([{ code: 'broken-json' }]);
      expect(await test.desk.summarize(OWNER, FOLDER_DRAFT)).toBeUndefined();
    }
  });
});

test('a change of the folder that breaks the renderer is refused, and is in no version', async () => {
  const test = await openTestDesk({
    renderPage: (request) => {
      if (request.site.theme.accent === '#666666') throw new Error('cannot render');
      return renderFakePage(request);
    },
  });
  await test.changeFolder(setAccent('#666666'));
  await test.noticeFolder();
  expect(served(test)).toEqual([1, '#e0b34c', 'waypost-demo']);
  expect([await test.stores.versions.currentNumber(), test.keeper.record().refusal]).toMatchObject([
    1,
    { faults: [{ code: 'not-loaded' }] },
  ]);
  await test.desk.edit(EDITOR, { file: 'site.json', edits: [setAccent('#666666')] });
  const publish = { draft: 'own', why: '', basedOn: 1 } as const;
  await expect(test.desk.publish(EDITOR, publish)).rejects.toThrow('cannot render');
  expect(await test.stores.versions.currentNumber()).toBe(1);
});

describe('the start', () => {
  test('serves the current version, not the folder that it began with', async () => {
    const test = await openTestDesk();
    await publishMarker(test);
    expect(served(await test.reopen())).toEqual([2, '#e0b34c', 'other-marker']);
  });

  test('takes up what was changed in the folder meanwhile, and reads it only once if nothing was', async () => {
    const test = await openTestDesk();
    await test.changeFolder(setAccent('#5ec28f'));
    const after = await test.reopen();
    await after.noticeFolder();
    expect(served(after)).toEqual([2, '#5ec28f', 'waypost-demo']);
    const again = await test.reopen();
    await again.noticeFolder();
    expect(again.logged.filter(({ msg }) => msg === 'site published')).toHaveLength(1);
  });

  test('works with a folder that is broken or gone, and says that it is refused', async () => {
    const test = await openTestDesk();
    await publishMarker(test);
    const whole = await readFile(join(test.siteDir, 'site.json'));
    await writeFile(join(test.siteDir, 'site.json'), '{');
    const broken = await test.reopen();
    expect(served(broken)).toEqual([2, '#e0b34c', 'other-marker']);
    await broken.noticeFolder();
    expect(broken.keeper.record().refusal?.faults).toMatchObject([{ code: 'broken-json' }]);
    await writeFile(join(test.siteDir, 'site.json'), whole);
    await broken.noticeFolder();
    expect(broken.keeper.record().refusal?.correctedAt).toBeDefined();
    await rm(test.siteDir, { recursive: true });
    expect(served(await test.reopen())).toEqual([2, '#e0b34c', 'other-marker']);
  });
});

test('mmdb files are in no version: they are read from the folder, and a new one is taken up', async () => {
  const test = await openTestDesk();
  await writeFile(join(test.siteDir, 'country.mmdb'), writeCountryMmdb({ '203.0.113.0/24': 'GB' }));
  await test.changeFolder(
    { path: ['network'], value: { mmdb: 'country.mmdb' } },
    { path: ['compliance', 'restrictedRegions'], value: ['GB'] },
  );
  await test.noticeFolder();
  const readCountry = () =>
    test.keeper
      .current()
      .regions.countryOf(
        { kind: 'direct', address: { text: '203.0.113.9', family: 'ipv4' } },
        () => undefined,
      );
  const { files } = await test.stores.versions.read(2);
  expect(Object.keys(files)).not.toContain('country.mmdb');
  expect(readCountry()).toBe('GB');
  await writeFile(join(test.siteDir, 'country.mmdb'), writeCountryMmdb({ '203.0.113.0/24': 'FR' }));
  await test.noticeFolder();
  expect([await test.stores.versions.currentNumber(), readCountry()]).toEqual([2, 'FR']);
});
