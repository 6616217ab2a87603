import { cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { renderFakePage } from '../testing/fake-web-build.ts';
import { DEMO_SITE } from '../testing/site-files.ts';
import { writeCountryMmdb, writeDamagedMmdb } from '../testing/write-mmdb.ts';
import { type PrepareSite, type SiteKeeper, keepSite } from './keep-site.ts';
import { createFolderSource, loadSite, loadSiteFiles } from './load-site.ts';
import { readSiteFolder } from './read-site-folder.ts';

let dir: string;
let today: number;
let now: number;
let events: string[];
let logged: { msg: string; faults?: object[] }[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-site-'));
  await cp(DEMO_SITE, dir, { recursive: true });
  today = 20_000;
  now = 1_000;
  events = [];
  logged = [];
});

afterEach(() => rm(dir, { recursive: true, force: true }));

function keep(source = createFolderSource(dir)): Promise<SiteKeeper> {
  return keepSite({
    source,
    log: pino({}, { write: (line) => logged.push(JSON.parse(line) as { msg: string }) }),
    renderPage: renderFakePage,
    buildFallbackAddresses: () => [`https://www${today}.backup.example`],
    onPublish: ({ version }) => events.push(`published ${version}`),
    onRefuse: () => events.push('refused'),
    onLookupFault: () => events.push('lookup fault'),
    now: () => now,
  });
}

async function changeName(name: string): Promise<void> {
  const config = JSON.parse(await readFile(join(dir, 'site.json'), 'utf8'));
  config.brand.name = name;
  await writeFile(join(dir, 'site.json'), JSON.stringify(config));
}

const nameOf = (keeper: SiteKeeper) => keeper.current().config.brand.name;

describe('a change of the folder', () => {
  test('goes live as a new version once the folder is quiet', async () => {
    const keeper = await keep();
    await keeper.checkFolder();
    await changeName('New name');
    await keeper.checkFolder();
    expect(events).toEqual(['published 1']);
    await keeper.checkFolder();
    expect([nameOf(keeper), keeper.current().version]).toEqual(['New name', 2]);
    await keeper.checkFolder();
    expect(events).toEqual(['published 1', 'published 2']);
  });

  test('that is bad is refused once, with its faults, and the last good content stays', async () => {
    const keeper = await keep();
    const before = keeper.current();
    await writeFile(join(dir, 'site.json'), '{"brand":');
    for (let checks = 0; checks < 4; checks += 1) await keeper.checkFolder();
    expect(keeper.current()).toBe(before);
    expect(events).toEqual(['published 1', 'refused']);
    expect(logged.at(-1)).toMatchObject({
      msg: 'site change refused',
      faults: [
        {
          code: 'broken-json',
          message: 'site.json:1:10: expected a value, got the end of the file',
        },
      ],
    });
    const place = { file: 'site.json', path: [], line: 1, column: 10 };
    const values = { fact: { kind: 'broken-json', expected: 'value' } };
    const refusal = { at: 1_000, faults: [{ code: 'broken-json', values, place }] };
    expect(keeper.record()).toEqual({ publishedAt: 1_000, refusal });
    now = 5_000;
    await cp(join(DEMO_SITE, 'site.json'), join(dir, 'site.json'));
    await keeper.checkFolder();
    await keeper.checkFolder();
    expect(keeper.current().version).toBe(2);
    expect(keeper.record()).toEqual({ publishedAt: 5_000, refusal: { ...refusal, correctedAt: 5_000 } });
  });

  test('is not seen while it is being written', async () => {
    const keeper = await keep();
    const whole = await readFile(join(dir, 'site.json'), 'utf8');
    for (const end of [50, 200, 500]) {
      await writeFile(join(dir, 'site.json'), whole.slice(0, end));
      await keeper.checkFolder();
    }
    await writeFile(join(dir, 'site.json'), whole.replace('waypost-demo', 'waypost-two'));
    await keeper.checkFolder();
    await keeper.checkFolder();
    expect(events).toEqual(['published 1', 'published 2']);
    expect(keeper.current().config.lines.marker).toBe('waypost-two');
  });

  test('is seen in a new target, a removed target and a swapped symbolic link', async () => {
    const keeper = await keep();
    await writeFile(join(dir, 'json/urls/new.json'), '{"a":"app.example"}');
    await rm(join(dir, 'json/urls/localhost.json'));
    await keeper.checkFolder();
    await keeper.checkFolder();
    expect([...keeper.current().targetFiles.keys()]).toEqual(['/json/urls/new.json']);
    await writeFile(join(dir, '.elsewhere'), '{"a":"other.example"}');
    await symlink('../../.elsewhere', join(dir, 'json/urls/.next'));
    await rename(join(dir, 'json/urls/.next'), join(dir, 'json/urls/new.json'));
    await keeper.checkFolder();
    await keeper.checkFolder();
    expect(keeper.current().targetFiles.get('/json/urls/new.json')?.identity.body.toString()).toContain(
      'other',
    );
  });

  test('is seen beside a symbolic link that leads nowhere', async () => {
    await symlink('nowhere', join(dir, 'images/lost.svg'));
    const keeper = await keep();
    await changeName('Other');
    await keeper.checkFolder();
    await keeper.checkFolder();
    expect(nameOf(keeper)).toBe('Other');
  });

  test('that makes site.json too large is refused', async () => {
    const keeper = await keep();
    const site = await readFile(join(dir, 'site.json'));
    const spaces = Buffer.alloc(10_000_000 - site.length, ' ');
    await writeFile(join(dir, 'site.json'), Buffer.concat([site, spaces]));
    for (let checks = 0; checks < 2; checks += 1) await keeper.checkFolder();
    expect(events).toEqual(['published 1', 'refused']);
    expect(logged.at(-1)?.faults).toEqual([
      {
        code: 'unusable-file',
        message: 'site.json: a JSON file may have at most 1,000,000 bytes, and this has 10,000,000',
      },
    ]);
  });

  test('that breaks the renderer is refused like any other', async () => {
    const keeper = await keepSite({
      source: createFolderSource(dir),
      log: pino({ level: 'silent' }),
      renderPage: (request) => {
        if (request.site.brand.name === 'Unrenderable') throw new Error('cannot render');
        return renderFakePage(request);
      },
      buildFallbackAddresses: () => [],
      onPublish: () => undefined,
      onRefuse: () => events.push('refused'),
      onLookupFault: () => events.push('lookup fault'),
      now: () => now,
    });
    await changeName('Unrenderable');
    await keeper.checkFolder();
    await keeper.checkFolder();
    expect([events, keeper.current().version]).toEqual([['refused'], 1]);
  });
});

test('a change that could not be read is refused once, and read again after ten seconds', async () => {
  const source = createFolderSource(dir);
  let fault: Error | undefined;
  const load: typeof source.load = async (onFault) => {
    if (fault) throw fault;
    return source.load(onFault);
  };
  const keeper = await keep({ ...source, load });
  await changeName('New name');
  fault = new Error('EMFILE: too many open files');
  for (const at of [1_000, 2_000, 12_000, 13_000]) {
    now = at;
    await keeper.checkFolder();
  }
  fault = undefined;
  now = 21_999;
  await keeper.checkFolder();
  expect(events).toEqual(['published 1', 'refused']);
  now = 22_000;
  for (let checks = 0; checks < 3; checks += 1) await keeper.checkFolder();
  expect([nameOf(keeper), events]).toEqual(['New name', ['published 1', 'refused', 'published 2']]);
});

describe('another site that is handed in', () => {
  const nameIt = async (name: string) => {
    const config = JSON.parse(await readFile(join(dir, 'site.json'), 'utf8'));
    config.brand.name = name;
    const { files } = await readSiteFolder(dir);
    return new Map([...files, ['site.json', Buffer.from(JSON.stringify(config))]]);
  };

  test('is served once it is committed, and the folder is not read again for it', async () => {
    const keeper = await keep();
    const files = await nameIt('Handed in');
    const seen: number[] = [];
    await keeper.replace(
      async (onLookupFault) => ({ ...(await loadSiteFiles({ files }, dir, onLookupFault)), version: 7 }),
      async () => void seen.push(keeper.current().version),
    );
    expect([seen, nameOf(keeper), keeper.current().version]).toEqual([[1], 'Handed in', 7]);
    await keeper.checkFolder();
    await keeper.checkFolder();
    expect(events).toEqual(['published 1', 'published 7']);
  });

  test('changes nothing if it cannot be prepared or committed, and the next one is served', async () => {
    const keeper = await keep();
    const before = keeper.current();
    const files = await nameIt('Handed in');
    const prepare: PrepareSite = (onLookupFault) => loadSiteFiles({ files }, dir, onLookupFault);
    const refuse = async () => {
      throw new Error('the disk is full');
    };
    await expect(keeper.replace(prepare, refuse)).rejects.toThrow('the disk is full');
    await expect(
      keeper.replace(
        () => loadSiteFiles({ files: new Map() }, dir, () => undefined),
        async () => void events.push('committed'),
      ),
    ).rejects.toThrow('site.json: the file is missing');
    expect([keeper.current(), events]).toEqual([before, ['published 1']]);
    await keeper.replace(prepare, async () => undefined);
    expect(nameOf(keeper)).toBe('Handed in');
  });
});

describe('a new day', () => {
  test('renders the pages anew, with the day’s addresses, and is not a new version', async () => {
    const keeper = await keep();
    const landing = () =>
      keeper
        .current()
        .pages.get({ kind: 'landing', locale: 'zh-CN', closing: undefined })
        .identity.body.toString();
    expect(landing()).toContain('www20000.backup.example');
    today += 1;
    now = 86_399_999;
    await keeper.renderIfDue();
    expect(landing()).toContain('www20000.backup.example');
    now = 86_400_000;
    await keeper.renderIfDue();
    expect(landing()).toContain('www20001.backup.example');
    expect([keeper.current().version, events]).toEqual([1, ['published 1']]);
    // The clock was wrong, and is set back.
    today -= 1;
    now = 0;
    await keeper.renderIfDue();
    expect(landing()).toContain('www20000.backup.example');
  });
});

test('an announcement comes and goes at its time, without a change of the folder', async () => {
  const config = JSON.parse(await readFile(join(dir, 'site.json'), 'utf8'));
  const [from, until] = ['1970-01-01T08:01+08:00', '1970-01-01T00:02:30Z'];
  config.announcement = { 'zh-CN': { text: 'Tonight', from, until }, default: { text: 'Always' } };
  await writeFile(join(dir, 'site.json'), JSON.stringify(config));
  const keeper = await keep();
  const announced = async (at: number) => {
    now = at;
    await keeper.renderIfDue();
    const { identity } = keeper.current().pages.get({ kind: 'landing', locale: 'zh-CN', closing: undefined });
    return /"announcement":(\{[^}]*\})/.exec(identity.body.toString())?.[1];
  };
  expect(await announced(59_999)).toBe('{"text":"Always"}');
  expect(await announced(60_000)).toBe('{"text":"Tonight"}');
  expect(await announced(149_999)).toBe('{"text":"Tonight"}');
  expect(await announced(150_000)).toBe('{"text":"Always"}');
});

test('a maintenance that closes the site begins and ends at its time, without a change of the folder', async () => {
  const config = JSON.parse(await readFile(join(dir, 'site.json'), 'utf8'));
  const [from, until] = ['1970-01-01T08:01+08:00', '1970-01-01T00:02:30Z'];
  config.maintenance = [{ from, until, reason: { default: 'New disks', 'zh-CN': '更换磁盘' }, closes: true }];
  await writeFile(join(dir, 'site.json'), JSON.stringify(config));
  const keeper = await keep();
  const told = async (at: number) => {
    now = at;
    await keeper.renderIfDue();
    const { closedBy, get } = keeper.current().pages;
    const page = get({ kind: 'redirect', locale: 'zh-CN', closing: closedBy && 'maintenance' });
    const [, maintenance] = /"maintenance":(\{[^}]*\})/.exec(page.identity.body.toString()) ?? [];
    return [closedBy !== undefined, maintenance];
  };
  expect(await told(59_999)).toEqual([false, undefined]);
  expect(await told(60_000)).toEqual([true, '{"reason":"更换磁盘","until":150000}']);
  expect(await told(149_999)).toEqual([true, '{"reason":"更换磁盘","until":150000}']);
  expect(await told(150_000)).toEqual([false, undefined]);
});

describe('the hash of the content', () => {
  test('is the same for the same files in another folder, and another as soon as a byte differs', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'waypost-site-'));
    onTestFinished(() => rm(elsewhere, { recursive: true, force: true }));
    await cp(dir, elsewhere, { recursive: true });
    const { hash } = await loadSite(dir);
    expect(hash).toMatch(/^[\da-f]{12}$/);
    expect((await loadSite(elsewhere)).hash).toBe(hash);
    // An image is content, too; a hidden file of an editor is not.
    await writeFile(join(elsewhere, '.site.json.swp'), 'x');
    expect((await loadSite(elsewhere)).hash).toBe(hash);
    await rename(join(elsewhere, 'json/urls/localhost.json'), join(elsewhere, 'json/urls/other.json'));
    expect((await loadSite(elsewhere)).hash).not.toBe(hash);
  });

  test('is logged with what goes live and with what is refused', async () => {
    const keeper = await keep();
    const { hash } = keeper.current();
    await rm(join(dir, 'json/link.json'));
    await rm(join(dir, 'site.json'));
    await keeper.checkFolder();
    await keeper.checkFolder();
    expect(logged.filter(({ msg }) => msg.startsWith('site '))).toMatchObject([
      { msg: 'site published', hash, version: 1 },
      { msg: 'site change refused', hash, version: 1 },
    ]);
  });
});

describe('the start', () => {
  test('names the bad links in the log', async () => {
    await writeFile(join(dir, 'json/link.json'), '{}');
    await keep();
    expect(logged.filter(({ msg }) => msg.startsWith('json/link.json:'))).toHaveLength(5);
  });

  test('stops at a folder that is not there, and at a bad one', async () => {
    await expect(loadSite(join(dir, 'none'))).rejects.toThrow('the site folder does not exist');
    await expect(loadSite(join(dir, 'site.json'))).rejects.toThrow('site.json: this is a file');
    await rm(join(dir, 'site.json'));
    await expect(keep()).rejects.toThrow('site.json: the file is missing [missing-file]');
  });

  test('opens the country database that the site names, and says when it cannot', async () => {
    const config = JSON.parse(await readFile(join(dir, 'site.json'), 'utf8'));
    await writeFile(join(dir, 'site.json'), JSON.stringify({ ...config, network: { mmdb: 'country.mmdb' } }));
    await expect(loadSite(dir)).rejects.toThrow(
      /^site\.json: network\.mmdb must be the path of an mmdb file, got "country\.mmdb": there is no file .*country\.mmdb \[unusable-mmdb\]$/,
    );
    await writeFile(join(dir, 'country.mmdb'), writeCountryMmdb({ '203.0.113.0/24': 'GB' }));
    const { addressDatabase } = await loadSite(dir);
    expect(addressDatabase?.countryOf({ text: '203.0.113.9', family: 'ipv4' })).toBe('GB');
  });

  test('names an mmdb file with damaged records once, and treats their addresses as unknown', async () => {
    const config = JSON.parse(await readFile(join(dir, 'site.json'), 'utf8'));
    await writeFile(join(dir, 'site.json'), JSON.stringify({ ...config, network: { mmdb: 'country.mmdb' } }));
    await writeFile(join(dir, 'country.mmdb'), writeDamagedMmdb({ '203.0.113.0/24': 'GB' }));
    const keeper = await keep();
    for (const text of ['203.0.113.9', '203.0.113.10']) {
      expect(keeper.current().systemOf({ text, family: 'ipv4' })).toBeUndefined();
    }
    expect(events.filter((event) => event === 'lookup fault')).toHaveLength(2);
    const told = logged.map(({ msg }) => msg);
    expect(told.filter((msg) => msg === 'an mmdb file has records that cannot be read')).toHaveLength(1);
    expect(told).toContain(
      'site.json: network.mmdb "country.mmdb" has records that cannot be read, such as that of 203.0.113.0: download it again',
    );
  });
});
