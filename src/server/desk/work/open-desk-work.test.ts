import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import sharp from 'sharp';
import { expect, onTestFinished, test, vi } from 'vitest';
import { spawnFunction } from '../../testing/spawn-function.ts';
import { createSiteFiles } from '../../testing/site-files.ts';
import { EDITOR, openTestDesk } from '../../testing/test-desk.ts';
import type { JobLimits } from './answer-jobs.ts';
import { type DeskWork, createDeskWork, parseSiteApart, runJobHere } from './jobs.ts';
import { type DeskWorkOptions, openDeskWork } from './open-desk-work.ts';

const HANG = new URL('../../testing/hang-for-ever.ts', import.meta.url);
const ANSWER = new URL('./answer-jobs.ts', import.meta.url);
const PLENTY: JobLimits = { maxCpuMs: 300_000, maxResidentBytes: 2_000_000_000 };

/** The real thing, in a process that was built from the sources. */
function startAnswering(limits: JobLimits): () => Promise<ChildProcess> {
  return () => spawnFunction(ANSWER, 'answerJobs', [limits], { serialization: 'advanced' });
}

function open(options: Partial<DeskWorkOptions>) {
  const warned: unknown[] = [];
  const log = { warn: (entry: unknown) => void warned.push(entry) };
  const opened = openDeskWork({ log, limitMs: 300_000, ...options });
  onTestFinished(opened.close);
  return { ...opened, warned };
}

test('work in another process has the same results, and the same refusals, as on this thread', async () => {
  const { work } = open({ startProcess: startAnswering(PLENTY) });
  const here = createDeskWork(runJobHere);
  const files = await createSiteFiles();
  const bad = await createSiteFiles((config) => delete config.brand);
  const site = files.get('site.json') ?? Buffer.alloc(0);
  const edits = [{ path: ['theme', 'accent'], value: '#5ec28f' }];
  const [logo = Buffer.alloc(0)] = [...files]
    .filter(([path]) => path.endsWith('.svg'))
    .map(([, bytes]) => bytes);
  const jobs: readonly ((by: DeskWork) => Promise<unknown>)[] = [
    (by) => parseSiteApart(by, files),
    (by) => parseSiteApart(by, bad),
    (by) => by.editFile('site.json', site, edits),
    (by) => by.describeDifference(files, bad),
    (by) => by.mergeFiles({ base: files, theirs: bad, mine: files }),
    (by) => by.checkFile('images/logo.svg', logo),
    (by) => by.decodeQr(logo),
  ];
  for (const job of jobs) expect(await job(work)).toEqual(await job(here));
  await expect(work.checkFile('images/x.png', Buffer.from('none'))).rejects.toMatchObject({
    name: 'DeskError',
    code: 'file-refused',
    message: 'images/x.png: it is no PNG image.',
  });
});

test('work that never ends is stopped, while this thread goes on, and what comes after it is done', async () => {
  const started: ChildProcess[] = [];
  const { work, warned } = open({
    limitMs: 2_000,
    startProcess: async () => {
      const child = await spawnFunction(HANG, 'hangForEver', []);
      started.push(child);
      return child;
    },
  });
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 10);
  await expect(work.checkFile('images/x.png', Buffer.from('none'))).rejects.toMatchObject({
    code: 'took-too-long',
    message: 'This was stopped, because it took too much time or memory: make the file smaller or simpler.',
  });
  clearInterval(ticking);
  expect(ticks).toBeGreaterThan(5);
  expect(warned).toEqual([{ job: 'checkFile' }]);
  const [first] = started;
  if (first?.signalCode === null) await once(first, 'exit');
  expect(first?.signalCode).toBe('SIGKILL');
  // The next one gets a new process.
  await expect(work.checkFile('images/x.png', Buffer.from('none'))).rejects.toThrow('was stopped');
  expect(started).toHaveLength(2);
});

test('a process that somebody else has ended is replaced', async () => {
  const started: ChildProcess[] = [];
  const { work } = open({
    startProcess: async () => {
      const child = await startAnswering(PLENTY)();
      started.push(child);
      return child;
    },
  });
  const edit = () => work.editFile('site.json', Buffer.from('{}'), [{ path: ['a'], value: 1 }]);
  await edit();
  started[0]?.kill('SIGKILL');
  await vi.waitFor(() => expect(started[0]?.connected).toBe(false));
  expect(JSON.parse(String(await edit()))).toEqual({ a: 1 });
  expect(started).toHaveLength(2);
});

test('at most 16 wait for their turn, and the next is told to try again', async () => {
  const { work, close } = open({ startProcess: () => spawnFunction(HANG, 'hangForEver', []) });
  const check = () => work.checkFile('images/x.png', Buffer.from('none'));
  const waiting = Array.from({ length: 17 }, check).map((job) => job.catch((error: unknown) => error));
  await expect(check()).rejects.toMatchObject({ code: 'desk-busy' });
  close();
  await Promise.all(waiting);
});

test.each([
  ['memory', { ...PLENTY, maxResidentBytes: 1 }],
  ['processor time', { ...PLENTY, maxCpuMs: 1 }],
])('an image that takes too much %s to encode is kept as it is', async (_, limits) => {
  const images = open({ startProcess: startAnswering(limits) });
  const work = { ...createDeskWork(runJobHere), makeBetterFormats: images.work.makeBetterFormats };
  const { desk } = await openTestDesk({ work });
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const image = sharp({ create: { width: 1_500, height: 1_500, channels: 3, background: '#888', noise } });
  const jpeg = await image.jpeg().toBuffer();
  expect(await desk.putFile(EDITOR, 'images/noise.jpg', jpeg)).toEqual({ ok: true, isKeptAsIs: true });
  const { files } = await desk.readDraft(EDITOR, { draft: 'own' });
  expect(files.filter(({ path }) => path.startsWith('images/noise')).map(({ path }) => path)).toEqual([
    'images/noise.jpg',
  ]);
  expect(images.warned).toEqual([{ job: 'makeBetterFormats' }]);
});
