import { readFile, readdir } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type { Frame, Page } from '@playwright/test';
import { INTAKE_PATH, RECORDING_PATHS } from '../src/contract/paths.ts';
import { sampleSession, sampleView } from '../src/console/testing/sample-session.ts';
import type { ErrorGroup, RecordingsState, SessionList, SessionSummary } from '../src/contract/recordings.ts';
import { createRecord } from '../src/server/testing/intake-messages.ts';
import { FIREFOX_IN_SOAK, IN_CHROMIUM } from './support/browsers.ts';
import { expectNoViolation, openView } from './support/console-test.ts';
import { createHostileRecording } from './support/create-hostile-recording.ts';
import { listenOnLoopback } from './support/listen-on-loopback.ts';
import { PATIENCE_MS, waitForLines } from './support/observed-test.ts';
import { expect, test } from './support/test.ts';

const TYPED = 'hunter2-secret';
const TOKEN = 'a-token-of-the-listener';
/** The token makes its sender an owner. */
const OWNER = { Authorization: `Bearer ${TOKEN}` };
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0';
const GZIP_START = Buffer.of(0x1f, 0x8b);
const GZIP_HEAD_BYTES = 10;

test.use({
  locale: 'en-GB',
  environment: { WAYPOST_OPS_TOKEN: TOKEN },
  changes: {
    site: {
      consent: 'not-required',
      monitoring: { intakeUrl: 'self', sessionPercent: 100, replayPercent: 100 },
      network: {
        countryHeader: 'X-Country',
        trustedProxies: ['127.0.0.0/8', '::1/128'],
        unknownRegion: 'open',
      },
    },
  },
});

test(
  'a visit is listed, found by every filter, played, and erased; what was typed is nowhere',
  FIREFOX_IN_SOAK,
  async ({ page, context, portal, lines, expectedErrors, browserName }) => {
    expectedErrors.push(/boom/);
    const consoleUrl = portal.opsUrl.replace('127.0.0.1', 'localhost');
    const bodies = watchBodies(page);
    const operator = await context.newPage();
    await operator.setExtraHTTPHeaders(OWNER);
    await openView(operator, consoleUrl, '#/sessions/');
    await expect(operator.getByText('No session was recorded yet.')).toBeVisible();

    lines.set('line2.localhost', { delayMs: 700 });
    await visit(page);
    const item = operator.getByRole('row').filter({ has: operator.getByText(/^Entered line\d/) });
    await expect(item).toBeVisible();
    await expect(item.getByRole('img', { name: /^opened, .*error after .*entered after/ })).toBeVisible();
    for (const badge of ['Error', 'Slow', 'Has replay'])
      await expect(item.getByText(badge, { exact: true })).toBeVisible();
    await expectNoViolation(operator, 'sessions');

    const [session] = await readSessions(consoleUrl);
    const day = new Date(session?.startedAt ?? 0).toISOString().slice(0, 10);
    const [host = ''] = session?.views.flatMap(({ entered }) => entered.map((line) => line.host)) ?? [];
    expect(session).toMatchObject({ device: 'pc', language: 'en', country: 'SG' });
    const filters = {
      error: 'true',
      slow: 'true',
      device: 'pc',
      language: 'en',
      country: 'SG',
      day,
      line: host,
    };
    for (const [name, value] of Object.entries({ ...filters, network: session?.network ?? '' })) {
      await openView(operator, consoleUrl, `#/sessions/?${new URLSearchParams({ [name]: value })}`);
      await expect(item, name).toBeVisible();
    }
    // A filter shows its new value at once, not when the browser tells of the new link.
    const isChecked = await operator
      .getByLabel('could not get in')
      .evaluate((input: HTMLInputElement) => (input.click(), input.checked));
    expect(isChecked).toBe(true);
    await expect(
      operator.getByRole('button', { name: 'Remove the filter “Could not get in”' }),
    ).toBeVisible();
    await expect(operator.getByText('No session matches these filters.')).toBeVisible();
    await operator.getByRole('link', { name: 'Show all sessions' }).click();

    await item.getByRole('link').click();
    await expect(operator).toHaveURL(`${consoleUrl}/#/sessions/${session?.id}`);
    const other = await sendSameError(portal.url, consoleUrl);
    await openView(operator, consoleUrl, '#/sessions/errors');
    const group = operator.getByRole('listitem').filter({ hasText: 'boom' });
    await expect(group.getByText(/^2 times in 2 sessions · (at .+|from .+ to .+)/)).toBeVisible();
    for (const browser of ['Chrome 131', 'Firefox 133']) await expect(group).toContainText(browser);
    await expectNoViolation(operator, 'errors');
    // The one that can be played.
    await group.getByRole('link').click();
    await expect(operator).toHaveURL(`${consoleUrl}/#/sessions/${session?.id}`);
    await expect(operator.getByText(/^error: .*boom/)).toBeVisible();
    const player = await watch(operator);
    await operator.getByRole('button', { name: /^error \d/ }).click();
    await expect.poll(() => readShown(player)).toContain('the moment of the error');
    expect(await readShown(player)).not.toContain('afterwards');
    const position = operator.getByRole('slider', { name: 'Position' });
    await position.fill((await position.getAttribute('max')) ?? '');
    await expect.poll(() => readShown(player)).toContain('afterwards');
    await position.fill('0');
    await expect.poll(() => readShown(player)).not.toContain('afterwards');
    await operator.getByRole('button', { name: '8×' }).click();
    await operator.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => readShown(player)).toContain('afterwards');
    await expectNoViolation(operator, 'a session');
    await operator.evaluate(() => {
      const refuse = () => Promise.reject(new Error('not allowed'));
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: refuse } });
    });
    await operator.getByRole('button', { name: 'Copy link' }).click();
    await expect(operator.getByText('copy it by hand')).toBeVisible();

    expect(await readShown(player)).not.toContain(TYPED);
    const segments = await fetch(
      `${consoleUrl}${RECORDING_PATHS.segments}/${session?.id}/${session?.views[0]?.id}`,
      { headers: OWNER },
    );
    expect(await segments.text()).not.toContain(TYPED);
    const dataDir = `${portal.siteDir}-data`;
    const files = await readFiles(dataDir);
    // The search finds what is there.
    // The bodies can be read in Chromium only.
    const searched = browserName === 'chromium' ? [bodies, files] : [files];
    for (const texts of searched) expect(texts.join('\n')).toContain('the moment of the error');
    for (const texts of searched) expect(texts.join('\n')).not.toContain(TYPED);

    await operator.getByRole('button', { name: 'Erase' }).click();
    await operator.getByRole('dialog').press('Escape');
    expect((await readFiles(dataDir)).join('\n')).toContain('the moment of the error');
    await operator.getByRole('button', { name: 'Erase' }).click();
    await operator.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
    await expect(operator).toHaveURL(`${consoleUrl}/#/sessions/`);
    await expect(operator.getByText('No line was entered.')).toBeVisible();
    await expect(item).toHaveCount(0);
    // Its page is still open, and goes on.
    expectedErrors.push(/403/);
    const refused = page.waitForResponse((answer) => answer.url().endsWith(INTAKE_PATH));
    await page.locator('#note').evaluate((note) => note.replaceChildren('much later'));
    await page.clock.fastForward(40_000);
    expect((await refused).status()).toBe(403);
    expect((await readSessions(consoleUrl)).map(({ id }) => id)).toEqual([other]);
    const left = (await readFiles(dataDir)).join('\n');
    for (const text of ['the moment of the error', 'much later', session?.views[0]?.id ?? '']) {
      expect(left).not.toContain(text);
    }
    // Outside of the audit log, which says who erased what.
    expect(await readFile(join(dataDir, 'recordings.db'), 'latin1')).not.toContain(session?.id);
  },
);

test('a hostile recording runs nothing, asks nobody and leads nowhere', async ({
  page,
  context,
  portal,
  expectedErrors,
}) => {
  // Whatever the policy refuses is written to the console of the browser.
  expectedErrors.push(/Content[- ]Security[- ]Policy|sandboxed|content blocked/i);
  const consoleUrl = portal.opsUrl.replace('127.0.0.1', 'localhost');
  const attacker = await startAttacker();
  const { session, messages } = createHostileRecording(attacker.url, Date.now() - 60_000);
  for (const message of messages) await send(portal.url, message);
  await page.setExtraHTTPHeaders(OWNER);
  await openView(page, consoleUrl, `#/sessions/${session}`);
  await expect(page.getByRole('button', { name: 'Watch the replay' })).toBeVisible();
  const asked: string[] = [];
  context.on('requestfinished', (request) => {
    if (request.resourceType() !== 'fetch') asked.push(new URL(request.url()).pathname);
  });
  const player = await watch(page);
  await expect.poll(() => readShown(player)).toContain('The hostile page');
  await page.getByRole('slider', { name: 'Position' }).press('End');
  await expect(page.getByText('0:01 of 0:01')).toBeVisible();
  // Neither a click nor a key gets into the page that is shown.
  await page.getByTitle('Replay of the page').click();
  for (const key of ['Tab', 'Enter', 'Tab', 'Enter']) await page.keyboard.press(key);
  await expect.poll(() => readShown(player)).toContain('The hostile page');

  expect(attacker.connections()).toBe(0);
  // Headless browsers open no connection ahead for a link, others do.
  const links = () => document.querySelector('iframe')?.contentDocument?.querySelectorAll('link').length;
  expect(await player.evaluate(links)).toBe(0);
  expect(asked).toEqual([RECORDING_PATHS.player]);
  // A frame that rrweb writes has no address of its own; Firefox gives it that of the player.
  const frames = page.frames().filter((frame) => frame.url() !== 'about:blank');
  for (const frame of frames) expect(await frame.evaluate(() => 'hostile' in window)).toBe(false);
  expect([...new Set(frames.map((frame) => frame.url()))]).toEqual([page.url(), `${consoleUrl}/player`]);
  expect(page.frames()).toHaveLength(3);
  // Somebody was there to count.
  await fetch(attacker.url.replace('attacker.localhost', '127.0.0.1'));
  expect(attacker.connections()).toBe(1);
  attacker.close();
});

test(
  'the console says how it is with recordings, and shows earlier ones',
  IN_CHROMIUM,
  async ({ page, portal }) => {
    const consoleUrl = portal.opsUrl.replace('127.0.0.1', 'localhost');
    let kept: RecordingsState = {
      isOn: false,
      sessions: 0,
      bytes: 0,
      fault: null,
    };
    let pages: readonly SessionSummary[] = [];
    // One session a page. Each is named by its place.
    const answer = (url: string): SessionList => {
      const after = new URL(url).searchParams.get('after');
      const place = after === null ? pages.length - 1 : Number(after);
      return {
        sessions: pages.slice(place, place + 1),
        next: place > 0 ? String(place - 1) : undefined,
        kept,
      };
    };
    await page.setExtraHTTPHeaders(OWNER);
    await page.route(/console\/sessions(?:\?|$)/, (route) =>
      route.fulfill({ json: answer(route.request().url()) }),
    );
    const reopen = async (state: Partial<RecordingsState>): Promise<void> => {
      kept = { ...kept, ...state };
      await page.goto('about:blank');
      await openView(page, consoleUrl, '#/sessions/');
    };

    await reopen({});
    await expect(page.getByText('"monitoring": { "intakeUrl": "self" }')).toBeVisible();
    await reopen({ isOn: true });
    await expect(page.getByText('No session was recorded yet.')).toBeVisible();
    pages = [1, 2, 3].map(sampleVisit);
    await reopen({ fault: 'no space left', sessions: 5_123, bytes: 420_000_000 });
    await expect(page.getByText('The recordings cannot be written: no space left')).toBeVisible();
    await expect(page.getByText('Sessions kept: 5,123, in 420.0 MB')).toBeVisible();
    const more = page.getByRole('button', { name: 'Show earlier sessions' });
    await more.click();
    await expect(page.getByText('Entered line2.example (43 ms)')).toBeVisible();
    await more.click();
    await expect(page.getByText(/^Entered line\d/)).toHaveText([/line3/, /line2/, /line1/]);
    await test.step('pages that are open stay open when a session comes', async () => {
      pages = [0, 1, 2, 3, 4].map(sampleVisit);
      await send(portal.url, createRecord({ session: 'e'.repeat(32) }));
      await expect(page.getByText(/^Entered line\d/)).toHaveText([/line4/, /line3/, /line2/]);
    });
  },
);

test(
  'a replay that is lost is loaded again; it skips idle time, unless it should not',
  IN_CHROMIUM,
  async ({ page, portal, expectedErrors }) => {
    // The clock of this test would also run in the page that is shown, which runs no scripts.
    expectedErrors.push(/sandboxed/, /api\/console\/segments/);
    const consoleUrl = portal.opsUrl.replace('127.0.0.1', 'localhost');
    const { session, messages } = createIdleRecording(Date.now() - 120_000);
    for (const message of messages) await send(portal.url, message);
    await page.clock.install();
    await page.setExtraHTTPHeaders(OWNER);
    await openView(page, consoleUrl, `#/sessions/${session}`);
    await page.route(`**${RECORDING_PATHS.segments}/**`, (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'Watch the replay' }).click();
    await expect(page.getByText('the console tries again in 5 seconds.')).toBeVisible();
    await page.clock.fastForward(5_000);
    await expect(page.getByRole('button', { name: 'Play' })).toBeEnabled();
    await page.getByLabel('Skip idle time').uncheck();
    await page.getByRole('button', { name: 'Play' }).click();
    await page.clock.runFor(8_000);
    await expect(page.getByText(/^0:(?:0[89]|1\d) of 1:01$/)).toBeVisible();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByLabel('Skip idle time').check();
    await page.getByRole('slider', { name: 'Position' }).fill('0');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.clock.runFor(8_000);
    await expect(page.getByText('1:01 of 1:01')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Play again' })).toBeVisible();
  },
);

/** The session of somebody who entered the line with this number. */
function sampleVisit(number: number): SessionSummary {
  const entered = [{ at: sampleView().openedAt + 3_000, host: `line${number}.example`, time: 43 }];
  return sampleSession({ id: String(number).repeat(32), views: [sampleView({ entered })] });
}

/** A visit with a typed text, an error, and a line that is entered late. */
async function visit(page: Page): Promise<void> {
  await page.addInitScript(() => addEventListener('click', (event) => event.preventDefault(), true));
  await page.route(`**${INTAKE_PATH}`, (route) =>
    // The same in every browser.
    route.continue({ headers: { ...route.request().headers(), 'x-country': 'SG', 'user-agent': CHROME } }),
  );
  await page.clock.install();
  const recorder = page.waitForResponse(/start-recorder/, { timeout: PATIENCE_MS });
  await page.goto('/?lang=en');
  await waitForLines(page);
  await recorder;
  await page.evaluate(() => {
    const [field, note] = [document.createElement('input'), document.createElement('p')];
    note.id = 'note';
    document.querySelector('main')?.append(field, note);
  });
  await page.locator('main input').last().pressSequentially(TYPED);
  await page.locator('#note').evaluate((note) => note.replaceChildren('the moment of the error'));
  await page.clock.runFor(1_000);
  await page.evaluate(() => reportError(new Error('boom')));
  await page.clock.runFor(1_000);
  await page.locator('#note').evaluate((note) => note.replaceChildren('afterwards'));
  await page.clock.runFor(5_000);
  await page.locator('[data-row="1"]').getByRole('link').click();
  await page.clock.runFor(40_000);
}

/** Sends a message to the portal's intake, as a page would. */
async function send(
  portalUrl: string,
  message: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const body = JSON.stringify(message);
  const { status } = await fetch(`${portalUrl}${INTAKE_PATH}`, { method: 'POST', headers, body });
  expect(status).toBe(204);
}

/** Sends a session of another browser with the one error that the portal knows. Returns its id. */
async function sendSameError(portalUrl: string, consoleUrl: string): Promise<string> {
  const answer = await fetch(consoleUrl + RECORDING_PATHS.errors, { headers: OWNER });
  const [known] = (await answer.json()) as readonly ErrorGroup[];
  const session = 'c'.repeat(32);
  const errors = [{ at: Date.now(), message: known?.message ?? '', stack: known?.place ?? '' }];
  await send(portalUrl, createRecord({ session, errors }), { 'User-Agent': FIREFOX });
  return session;
}

/** A recording with a minute between two clicks. */
function createIdleRecording(startedAt: number) {
  const ids = { session: 'b'.repeat(32), view: 'd'.repeat(32) };
  const click = (afterMs: number) => ({
    type: 3,
    timestamp: startedAt + afterMs,
    data: { source: 2, type: 2, id: 3, x: 10, y: 10 },
  });
  const body = { type: 2, tagName: 'body', attributes: {}, childNodes: [], id: 3 };
  const html = { type: 2, tagName: 'html', attributes: {}, childNodes: [body], id: 2 };
  const events = [
    { type: 4, timestamp: startedAt, data: { href: 'https://brand.example/', width: 390, height: 780 } },
    {
      type: 2,
      timestamp: startedAt + 1,
      data: { node: { type: 0, childNodes: [html], id: 1 }, initialOffset: { top: 0, left: 0 } },
    },
    click(1_000),
    click(61_000),
  ];
  const record = createRecord({ ...ids, openedAt: startedAt, sessionStartedAt: startedAt, segments: 1 });
  return { session: ids.session, messages: [record, { kind: 'segment', ...ids, number: 1, events }] };
}

async function readSessions(consoleUrl: string): Promise<SessionList['sessions']> {
  const answer = await fetch(consoleUrl + RECORDING_PATHS.sessions, { headers: OWNER });
  return ((await answer.json()) as SessionList).sessions;
}

/** Opens the replay of the session that is shown. Returns the frame of the player. */
async function watch(page: Page): Promise<Frame> {
  await page.getByRole('button', { name: 'Watch the replay' }).click();
  await expect(page.getByRole('button', { name: 'Play' })).toBeEnabled();
  const frame = page.frames().find((each) => each.url().endsWith(RECORDING_PATHS.player));
  if (frame === undefined) throw new Error('there is no player');
  return frame;
}

/** What the page in the player shows. It is in a frame that runs no scripts, so the player's document is asked. */
function readShown(player: Frame): Promise<string> {
  return player.evaluate(() => document.querySelector('iframe')?.contentDocument?.body.innerText ?? '');
}

/** The texts of all that a page posts. */
function watchBodies(page: Page): readonly string[] {
  const bodies: string[] = [];
  page.on('request', (request) => {
    const body = request.postDataBuffer();
    if (body !== null) bodies.push(unpack(body));
  });
  return bodies;
}

/** The names and texts of all files in a folder, as they are and unpacked. */
async function readFiles(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map((file) => readFile(file)));
  return [...files, ...contents.flatMap((bytes) => [bytes.toString()].concat(findPacked(bytes).map(unpack)))];
}

/** Every place where something packed could start. */
function findPacked(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let at = bytes.indexOf(GZIP_START); at !== -1; at = bytes.indexOf(GZIP_START, at + 1)) {
    parts.push(bytes.subarray(at));
  }
  return parts;
}

/** What is behind a packed message, such as the next one in its file, would be an error for `gunzipSync`. */
function unpack(bytes: Buffer): string {
  if (bytes.indexOf(GZIP_START) !== 0) return bytes.toString();
  try {
    return inflateRawSync(bytes.subarray(GZIP_HEAD_BYTES)).toString();
  } catch {
    return bytes.toString(); // It only looked packed.
  }
}

/** A host that counts who connects to it. */
async function startAttacker(): Promise<{
  readonly url: string;
  readonly connections: () => number;
  readonly close: () => Server;
}> {
  let connections = 0;
  const server = createServer((_, answer) => answer.end()).on('connection', () => (connections += 1));
  const port = await listenOnLoopback(server);
  return {
    url: `http://attacker.localhost:${port}`,
    connections: () => connections,
    close: () => server.close(),
  };
}
