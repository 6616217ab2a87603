import { FIREFOX_IN_SOAK } from './support/browsers.ts';
import type { Page } from '@playwright/test';
import type { Segment } from '../src/contract/intake-message.ts';
import { PATIENCE_MS, expect, test, waitForLines } from './support/observed-test.ts';
import { playReplay } from './support/play-replay.ts';
import type { Intake } from './support/start-intake.ts';

const TYPED = ['hunter2-secret', 'player@mail.example', '密码一二三'];
/** In the query and in the fragment of addresses: of the page, and of what is in it. */
const IN_ADDRESSES = 'COUPON-4711';
const BEYOND_A_SEGMENT_MS = 31_000;
const HAN = /\p{Script=Han}/u;

const bytesOf = ({ events }: Segment): number => Buffer.byteLength(JSON.stringify(events));
const stateOf = (intake: Intake): string | undefined => intake.records().at(-1)?.replay;

/**
 * The segments by their numbers, none of which is missing. What is posted comes in order; beacons may overtake, and bring
 * again what was under way when its page went.
 */
function readReplay(intake: Intake): readonly Segment[] {
  const posted = intake.arrivals.flatMap(({ message, isBeacon }) =>
    message.kind === 'segment' && !isBeacon ? message.number : [],
  );
  expect(posted).toEqual(posted.toSorted((a, b) => a - b));
  const distinct = new Map(intake.segments().map((segment) => [segment.number, segment]));
  const segments = [...distinct.values()].toSorted((a, b) => a.number - b.number);
  expect(segments.map(({ number }) => number)).toEqual(segments.map((_, index) => index + 1));
  return segments;
}

/** Has the recorder running; its first events are in the page, not yet in the intake. */
async function openRecorded(page: Page): Promise<void> {
  const loaded = page.waitForResponse(/start-recorder/, { timeout: PATIENCE_MS });
  await page.goto(`/?coupon=${IN_ADDRESSES}#${IN_ADDRESSES}`);
  await waitForLines(page);
  await loaded;
}

/** Leaves the page, which sends what is left. */
async function leave(page: Page): Promise<void> {
  await page.goto('about:blank');
}

/** Hides the page, which sends what is left. Nothing else happens to it: Firefox may end the scripts of a page that is left. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true });
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
}

test.describe('with a replay', () => {
  test.use({ observation: { hasIntake: true, replayPercent: 100 } });

  test('a session of over a minute arrives in order, within the limits, masked, and can be played', async ({
    page,
    intake,
    browser,
    expectedErrors,
  }) => {
    expectedErrors.push(/no answer/);
    await page.clock.install();
    await openRecorded(page);
    await expect.poll(() => stateOf(intake)).toBe('recording');
    await addFields(page);
    await page.locator('#text').pressSequentially(TYPED[0] ?? '');
    await page.locator('#mail').fill(TYPED[1] ?? '');
    await page.locator('#area').fill(TYPED[2] ?? '');
    await page.locator('#free').pressSequentially(TYPED[0] ?? '');
    for (let segment = 0; segment < 3; segment += 1) {
      await page.clock.runFor(BEYOND_A_SEGMENT_MS);
      await page.locator('#text').click();
    }
    await page.locator('#fields').evaluate((fields) => fields.remove());
    const shown = await page.getByRole('main').innerText();
    await page.clock.runFor(BEYOND_A_SEGMENT_MS);
    const times = () => intake.segments().flatMap(({ events }) => events.map(({ timestamp }) => timestamp));
    await expect
      .poll(() => Math.max(...times()) - Math.min(...times()))
      .toBeGreaterThan(3 * BEYOND_A_SEGMENT_MS - 1_000);
    await leave(page);
    // The last segment, in which the fields are gone, may still be on its way.
    await expect
      .poll(async () => squeeze(await playReplay(browser, readReplay(intake))))
      .toBe(squeeze(shown));

    const segments = readReplay(intake);
    expect(new Set(segments.map(({ session, view }) => `${session} ${view}`)).size).toBe(1);
    for (const segment of segments) {
      const instants = segment.events.map(({ timestamp }) => timestamp);
      expect(Math.max(...instants) - Math.min(...instants)).toBeLessThanOrEqual(30_000);
      // The first event is the whole page, and may be too large on its own.
      expect(instants.length === 1 || bytesOf(segment) <= 60_000).toBe(true);
    }
    const compressed = intake.arrivals.filter(
      ({ message, isCompressed }) => message.kind === 'segment' && isCompressed,
    );
    expect(compressed.length).toBeGreaterThanOrEqual(2);
    expect(intake.records().at(-1)?.errors.length).toBeGreaterThan(0);
    for (const { text } of intake.arrivals) {
      for (const secret of [...TYPED, IN_ADDRESSES]) expect(text).not.toContain(secret);
    }
  });

  test(
    'a burst is cut by its bytes, and an event that is too large goes alone and is counted',
    FIREFOX_IN_SOAK,
    async ({ page, intake }) => {
      await openRecorded(page);
      await expect.poll(() => stateOf(intake)).toBe('recording');
      await page.evaluate(async () => {
        for (let step = 0; step < 30; step += 1) {
          document.querySelector('footer')?.append(`${step}:`.padEnd(6_000, '字'));
          await new Promise((resolve) => setTimeout(resolve));
        }
        document.querySelector('footer')?.append('x'.repeat(70_000));
      });
      // 540,000 bytes and more, long before any segment is over. A page that goes takes at most 64 KiB of them along.
      const written = () => intake.arrivals.map(({ text }) => text).join('');
      await expect
        .poll(() => Array.from({ length: 30 }, (_, step) => written().includes(`"${step}:字`)))
        .not.toContain(false);
      await expect.poll(() => written().includes('x'.repeat(70_000))).toBe(true);
      expect(intake.segments().length).toBeGreaterThanOrEqual(10);
      await leave(page);

      const segments = readReplay(intake);
      const oversized = segments.filter((segment) => bytesOf(segment) > 60_000);
      expect(oversized.length).toBeGreaterThanOrEqual(1);
      expect(oversized.map(({ events }) => events.length)).toEqual(oversized.map(() => 1));
      await expect.poll(() => intake.records().at(-1)?.oversizedEvents).toBe(oversized.length);
    },
  );

  test('what happens last arrives, although its page goes away', async ({ page, intake }) => {
    await openRecorded(page);
    await expect.poll(() => stateOf(intake)).toBe('recording');
    await page.evaluate(() => document.querySelector('footer')?.append('the last word'));
    await leave(page);
    await expect.poll(() => intake.arrivals.some(({ text }) => text.includes('the last word'))).toBe(true);
  });

  test(
    'is off where the worker does not start in 10 s, and the record says so',
    FIREFOX_IN_SOAK,
    async ({ page, intake }) => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.clock.install();
      await page.route('**/compressor.worker*', () => undefined);
      await page.goto('/');
      await waitForLines(page);
      await expect.poll(() => stateOf(intake)).toBe('starting');
      await page.clock.runFor(10_000);
      await page.clock.runFor(5_000);
      await expect.poll(() => stateOf(intake)).toBe('worker-timeout');
      // For the rest of the session, too.
      await page.unroute('**/compressor.worker*');
      const records = intake.records().length;
      await page.reload();
      await waitForLines(page);
      await expect.poll(() => intake.records().length).toBeGreaterThan(records);
      expect(stateOf(intake)).toBe('worker-timeout');
      await leave(page);
      expect(intake.segments()).toEqual([]);
      expect(asked.filter((url) => url.includes('start-recorder'))).toEqual([]);
    },
  );

  test(
    'an intake that fails gets everything, in order, once it is well again',
    FIREFOX_IN_SOAK,
    async ({ page, intake, expectedErrors }) => {
      expectedErrors.push(/intake\.localhost/);
      await page.clock.install();
      intake.setFault(503);
      await openRecorded(page);
      for (let count = 0; count < 3; count += 1) {
        await page.locator('footer').evaluate((footer) => footer.append('.'));
        await page.clock.runFor(BEYOND_A_SEGMENT_MS);
      }
      await page.getByRole('button', { name: '重新测速' }).click();
      await waitForLines(page);
      expect(intake.arrivals).toEqual([]);
      intake.setFault(undefined);
      await expect(async () => {
        await page.clock.runFor(5_000);
        expect(intake.segments().at(-1)?.number).toBeGreaterThanOrEqual(3);
        expect(intake.records().at(-1)?.droppedSegments).toBe(0);
      }).toPass();
      // A try that took longer than the page's own clock allows was made again: some may have come twice.
      const numbers = [...new Set(intake.segments().map(({ number }) => number))];
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    },
  );

  test(
    'an intake that never answers holds nothing up',
    FIREFOX_IN_SOAK,
    async ({ page, intake, expectedErrors }) => {
      expectedErrors.push(/intake\.localhost/);
      intake.setFault('hang');
      await openRecorded(page);
      await expect.poll(() => intake.requests()).toBeGreaterThan(0);
      await page.getByRole('button', { name: '重新测速' }).click();
      await waitForLines(page);
      await page.getByRole('button', { name: '关闭' }).click();
      await expect(page.getByRole('button', { name: '关闭' })).toBeHidden();
    },
  );
});

test.describe('with a replay without text', () => {
  test.use({ observation: { hasIntake: true, replayPercent: 100, maskText: true } });

  test('no text of the page leaves the browser', FIREFOX_IN_SOAK, async ({ page, intake }) => {
    await openRecorded(page);
    await expect.poll(() => stateOf(intake)).toBe('recording');
    await page.getByRole('button', { name: '重新测速' }).click();
    await page.evaluate(() => {
      document.querySelector('footer')?.append('后来的文字');
      document.title = '后来的标题';
    });
    await waitForLines(page);
    await hide(page);
    const written = () => intake.segments().map((segment) => JSON.stringify(segment.events));
    // The snapshot of the whole page, and what changed in it.
    await expect.poll(() => written().join('').includes('"texts"')).toBe(true);
    // The page is in Chinese, and all that is recorded of it is not.
    expect(await page.locator('body').innerText()).toMatch(HAN);
    for (const events of written()) expect(events).not.toMatch(HAN);
  });
});

test.describe('without a replay', () => {
  test.use({ observation: { hasIntake: true, replayPercent: 0 } });

  test('a record tells of the page, its errors, its vitals and the line that was entered', async ({
    page,
    intake,
    expectedErrors,
    browserName,
  }) => {
    expectedErrors.push(/boom/);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.addInitScript(() => addEventListener('click', (event) => event.preventDefault(), true));
    await page.goto('/?from=nowhere');
    await waitForLines(page);
    await expect.poll(() => intake.records().length).toBeGreaterThan(0);
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('boom');
      });
    });
    const row = page.locator('[data-row="2"]');
    const speed = await row.locator('[data-speed]').innerText();
    const { host } = new URL((await row.getByRole('link').getAttribute('href')) ?? '');
    await row.getByRole('link').click();
    await hide(page);

    const vitals = browserName === 'chromium' ? ['CLS', 'FCP', 'LCP', 'TTFB'] : ['FCP', 'TTFB'];
    await expect
      .poll(() => Object.keys(intake.records().at(-1)?.vitals ?? {}))
      .toEqual(expect.arrayContaining(vitals));
    await expect.poll(() => intake.records().at(-1)?.enteredLines.length).toBe(1);
    const record = intake.records().at(-1);
    expect(record).toMatchObject({
      pageViews: 1,
      page: '/',
      device: 'pc',
      language: 'zh-CN',
      reachedLines: 4,
      failedLines: 0,
      replay: 'not-sampled',
      enteredLines: [{ index: 2, time: Number.parseInt(speed, 10) }],
    });
    expect(record?.firstRowAt).toBeGreaterThan(record?.openedAt ?? Infinity);
    expect(record?.firstRowAt).toBeLessThan(record?.enteredLines[0]?.at ?? 0);
    expect(record?.errors.map(({ message }) => message)).toEqual([expect.stringContaining('boom')]);
    expect(record?.errors[0]?.stack).toMatch(/\d+:\d+/);
    expect(host).toContain(record?.enteredLines[0]?.host.replace('http://', '').split(':')[0]);
    expect(asked.filter((url) => /recorder|worker/.test(url))).toEqual([]);
    expect(intake.segments()).toEqual([]);
  });

  test(
    'a session goes on over pages, and ends after 15 idle minutes',
    FIREFOX_IN_SOAK,
    async ({ page, intake }) => {
      await page.clock.install();
      await page.goto('/');
      await waitForLines(page);
      await expect.poll(() => intake.records().length).toBeGreaterThan(0);
      await page.reload();
      await waitForLines(page);
      await expect.poll(() => intake.records().at(-1)?.pageViews).toBe(2);
      await page.clock.fastForward(15 * 60_000);
      await page.keyboard.press('Shift');
      await expect.poll(() => new Set(intake.records().map(({ session }) => session)).size).toBe(2);
      expect(intake.records().at(-1)?.pageViews).toBe(1);
    },
  );
});

test.describe('where no session is sampled', () => {
  test.use({ observation: { hasIntake: true, sessionPercent: 0, replayPercent: 100 } });

  test('nothing is sent', FIREFOX_IN_SOAK, async ({ page, intake }) => {
    const opened = page.waitForResponse(/open-monitoring/, { timeout: PATIENCE_MS });
    await page.goto('/');
    await waitForLines(page);
    await opened;
    await page.waitForFunction(() => localStorage.getItem('waypost.session') !== null);
    await leave(page);
    await page.goto('/');
    await waitForLines(page);
    expect(intake.requests()).toBe(0);
  });
});

/** Fields of every kind that a visitor could type into, addresses with queries, and an error that names one. */
function addFields(page: Page): Promise<void> {
  return page.evaluate((secret) => {
    const fields = document.createElement('div');
    fields.id = 'fields';
    fields.innerHTML =
      '<input id="text"><input id="mail" type="email"><textarea id="area"></textarea><p id="free" contenteditable></p>';
    document.querySelector('main')?.append(fields);
    const query = `?coupon=${secret}#${secret}`;
    const link = document.createElement('a');
    link.href = query;
    link.textContent = `${location.origin}/${query}`;
    fields.append(link);
    link.style.setProperty('--next', `url("https://images.example/a.png${query}")`);
    link.href = `/t/vip${query}`;
    history.replaceState(null, '', `/${query}-2`);
    void Promise.reject(new Error(`no answer of ${location.href}`));
  }, IN_ADDRESSES);
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
