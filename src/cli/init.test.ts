import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSite } from '../server/site/load-site.ts';
import { init, writeSiteFolder } from './init.ts';

describe('waypost init', () => {
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'waypost-init-'));
  });

  afterEach(() => rm(dir, { recursive: true, force: true }));

  test('writes a folder that can be served as it is, with the schema that its site.json names', async () => {
    const site = join(dir, 'sites', 'mine');
    await writeSiteFolder(site);
    const { warnings } = await loadSite(site);
    expect(warnings).toEqual([]);
    const { $schema } = JSON.parse(await readFile(join(site, 'site.json'), 'utf8')) as { $schema: string };
    expect(JSON.parse(await readFile(join(site, $schema), 'utf8'))).toMatchObject({ type: 'object' });
  });

  test('takes an empty folder', async () => {
    await writeSiteFolder(dir);
    expect((await loadSite(dir)).site.config.brand.name).not.toBe('');
  });

  test('leaves a folder alone in which there is something', async () => {
    await writeFile(join(dir, 'notes.txt'), 'mine');
    await expect(writeSiteFolder(dir)).rejects.toThrow(
      `${dir} is not an empty folder: give the name of a new one`,
    );
  });

  test('wants exactly one folder', async () => {
    await expect(init.run([])).rejects.toThrow('give the name of one new folder');
    await expect(init.run(['a', 'b'])).rejects.toThrow('give the name of one new folder');
  });
});
