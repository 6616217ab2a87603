import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const SHIPPED = fileURLToPath(new URL('../../deploy/portal/waypost@.service', import.meta.url));
const ANALYZE = '/usr/bin/systemd-analyze';
/** Of 100: systemd itself calls a service below 20 "OK", and one without any hardening 96 "UNSAFE". */
const MOST_EXPOSED = 20;

describe.runIf(existsSync(ANALYZE))('the systemd unit', () => {
  let dir: string;
  let unit: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'waypost-unit-'));
    unit = join(dir, 'waypost@8080.service');
    // The program must be there for systemd to find nothing wrong.
    await writeFile(unit, (await readFile(SHIPPED, 'utf8')).replace('/usr/bin/node', process.execPath));
  });

  afterAll(() => rm(dir, { recursive: true }));

  test('is one that systemd understands to the last word', async () => {
    expect(await run(ANALYZE, ['verify', unit])).toEqual({ stdout: '', stderr: '' });
  });

  test('is started again however it ended, also by its own watchdog', async () => {
    expect(await readFile(unit, 'utf8')).toMatch(/^Restart=always$/m);
  });

  test('does not let systemd kill the portal for a call that it does not allow', async () => {
    expect(await readFile(unit, 'utf8')).toMatch(/^SystemCallErrorNumber=EPERM$/m);
  });

  test('leaves little open', async () => {
    const checked = run(ANALYZE, ['security', '--offline=yes', `--threshold=${MOST_EXPOSED}`, unit]);
    await expect(checked).resolves.toMatchObject({ stderr: '' });
  });
});
