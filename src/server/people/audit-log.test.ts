import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAuditFiles } from './audit-files.ts';
import { type AuditLog, openAuditLog } from './audit-log.ts';

const NOVEMBER = Date.UTC(2026, 10, 16);

let dir: string;
let clock: number;
let logged: unknown[];
let audit: AuditLog;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-audit-'));
  clock = NOVEMBER;
  logged = [];
  const log = { error: (entry: unknown) => logged.push(entry), warn: (entry: unknown) => logged.push(entry) };
  audit = openAuditLog({ files: openAuditFiles(join(dir, 'audit')), now: () => clock, log: log as never }); // Only these two are used.
});

afterEach(async () => {
  await rm(dir, { recursive: true });
});

test('entries are lines of JSON in a file of their month, which only the server’s user can read', async () => {
  audit.write({ by: 'mei', action: 'signed-in', prefix: '203.0.113.0/24' });
  clock = Date.UTC(2026, 11, 1);
  audit.write({ by: 'mei\nowner', action: 'signed-out' });
  await audit.flush();
  expect((await readdir(join(dir, 'audit'))).toSorted()).toEqual(['2026-11.jsonl', '2026-12.jsonl']);
  const file = join(dir, 'audit/2026-11.jsonl');
  expect(await readFile(file, 'utf8')).toBe(
    `{"at":${NOVEMBER},"by":"mei","action":"signed-in","prefix":"203.0.113.0/24"}\n`,
  );
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(
    (await text(await audit.openLines()))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).by),
  ).toEqual(['mei', 'mei\nowner']);
});

test('after a clock was ahead by 400 days, entries have the right time again', async () => {
  clock = NOVEMBER + 400 * 86_400_000;
  audit.write({ by: 'mei', action: 'signed-in' });
  clock = NOVEMBER;
  audit.write({ by: 'mei', action: 'signed-out' });
  await audit.flush();
  expect(await readFile(join(dir, 'audit/2026-11.jsonl'), 'utf8')).toContain(`{"at":${NOVEMBER},`);
});

test('an entry that a full disk has cut off takes no later one with it', async () => {
  const file = join(dir, 'audit/2026-11.jsonl');
  const write = async (by: string): Promise<void> => {
    audit.write({ by, action: 'signed-in' });
    await audit.flush();
  };
  await write('mei');
  const whole = await readFile(file, 'utf8');
  // A folder in the place of the file: not even root can write it.
  await rm(file);
  await mkdir(file);
  await write('li.wei');
  await rm(file, { recursive: true });
  await writeFile(file, `${whole}{"at":1,"by":"li.`);
  await write('otto');
  expect((await audit.read({ limit: 9 })).map(({ by }) => by)).toEqual(['otto', 'mei']);
});

test('an entry has nothing but what belongs into it', async () => {
  const caller = { prefix: '203.0.113.0/24', peerAddress: '203.0.113.9' };
  audit.write({ by: 'mei', action: 'signed-in', ...caller });
  await audit.flush();
  expect(await text(await audit.openLines())).not.toContain('203.0.113.9');
});

test('the newest are read first, page by page, over months and over long files', async () => {
  for (let month = 9; month <= 11; month += 1) {
    clock = Date.UTC(2026, month, 1);
    // More than one chunk of 64 KB, with characters of several bytes at every place.
    for (let count = 0; count < 600; count += 1) {
      audit.write({
        by: count % 2 === 0 ? '李伟' : 'mei',
        action: 'role-changed',
        detail: '汉'.repeat(40 + (count % 7)),
      });
    }
    await audit.flush();
  }
  const seen: number[] = [];
  let before: number | undefined;
  for (;;) {
    const page = await audit.read({ person: '李伟', before, limit: 100 });
    expect(page.every(({ by }) => by === '李伟')).toBe(true);
    seen.push(...page.map(({ at }) => at));
    before = page.at(-1)?.at;
    if (page.length < 100) break;
  }
  expect(seen).toHaveLength(900);
  expect(seen).toEqual(seen.toSorted((one, other) => other - one));
  expect(new Set(seen).size).toBe(900);
});

test('a line that was cut off is passed over', async () => {
  await mkdir(join(dir, 'audit'));
  await writeFile(
    join(dir, 'audit/2026-11.jsonl'),
    '{"at":1,"by":"mei","action":"signed-in"}\n{"at":2,"by":"li',
  );
  expect(await audit.read({ limit: 10 })).toEqual([{ at: 1, by: 'mei', action: 'signed-in' }]);
});

test('months are kept for 365 days', async () => {
  await mkdir(join(dir, 'audit'));
  for (const month of ['2025-10', '2025-11', '2026-11'])
    await writeFile(join(dir, `audit/${month}.jsonl`), '');
  clock = Date.UTC(2026, 10, 1);
  await audit.removeOld();
  expect((await readdir(join(dir, 'audit'))).toSorted()).toEqual(['2025-11.jsonl', '2026-11.jsonl']);
});

test('of failed sign-ins, 20 a minute are kept, and the log says how many are missing', async () => {
  for (let count = 0; count < 50; count += 1) audit.write({ by: 'unknown name', action: 'sign-in-failed' });
  audit.write({ by: 'mei', action: 'signed-in' });
  clock += 60_000;
  audit.write({ by: 'unknown name', action: 'sign-in-failed' });
  await audit.flush();
  expect(await audit.read({ limit: 100 })).toHaveLength(22);
  expect(logged).toEqual([{ count: 30 }]);
});

test('a disk that refuses holds nobody up: the entries are in the log of the process', async () => {
  await writeFile(join(dir, 'audit'), 'a file in the place of the folder');
  audit.write({ by: 'mei', action: 'signed-in' });
  await audit.flush();
  expect(logged).toMatchObject([{ entries: [{ by: 'mei', action: 'signed-in' }] }]);
});
