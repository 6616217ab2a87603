import { readFile, readdir } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Frame, Page } from '@playwright/test';
import { INTAKE_PATH, RECORDING_PATHS } from '../src/contract/paths.ts';
import { sampleSession } from '../src/console/testing/sample-session.ts';
import type { RecordingsState, SessionList, SessionSummary } from '../src/contract/recordings.ts';
import { FIREFOX_IN_SOAK, IN_CHROMIUM } from './support/browsers.ts';
import { expectNoViolation, openView } from './support/console-test.ts';
import { createHostileRecording } from './support/hostile-recording.ts';
import { PATIENCE_MS, waitForLines } from './support/observed-test.ts';
import { expect, test } from './support/test.ts';

const TYPED = 'hunter2-secret';
const GZIP_START = Buffer.of(0x1f, 0x8b);

test.use({
  locale: 'en-GB',
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
  'a visit is listed, found by every filter, and played; what was typed is nowhere',
  FIREFOX_IN_SOAK,
  async ({ page, context, portal, lines, expectedErrors, browserName }) => {
    expectedErrors.push(/boom/);
    const consoleUrl = portal.opsUrl.replace('127.0.0.1', 'localhost');
    const bodies = watchBodies(page);
    const operator = await context.newPage();
    await openView(operator, consoleUrl, '#/sessions/');
    await expect(operator.getByText('No session was recorded yet.')).toBeVisible();

    lines.set('line2.localhost', { delayMs: 700 });
    await visit(page);
    const item = operator.getByRole('listitem').filter({ has: operator.getByText(/^Entered line\d/) });
    await expect(item).toBeVisible();
    await expect(item.getByRole('img', { name: /^opened, .*error after .*entered after/ })).toBeVisible();
    for (const badge of ['Error', 'Slow', 'Replay'])
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
    await operator.getByLabel('Could not get in').check();
    await expect(operator.getByText('No session matches these filters.')).toBeVisible();
    await operator.getByRole('link', { name: 'Show all sessions' }).click();

    await item.getByRole('link').click();
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

    expect(await readShown(player)).not.toContain(TYPED);
    const segments = await operator.request.get(
      `${consoleUrl}${RECORDING_PATHS.segments}/${session?.id}/${session?.views[0]?.id}`,
    );
    expect(await segments.text()).not.toContain(TYPED);
    const files = await readFiles(`${portal.siteDir}-data`);
    // The search finds what is there.
    // The bodies can be read in Chromium only.
    const searched = browserName === 'chromium' ? [bodies, files] : [files];
    for (const texts of searched) expect(texts.join('\n')).toContain('the moment of the error');
    for (const texts of searched) expect(texts.join('\n')).not.toContain(TYPED);
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
  for (const message of messages) {
    const { status } = await fetch(`${portal.url}${INTAKE_PATH}`, {
      method: 'POST',
      body: JSON.stringify(message),
    });
    expect(status).toBe(204);
  }
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
  'the console says where recordings are, shows earlier ones, and erases after a question',
  IN_CHROMIUM,
  async ({ page, portal }) => {
    const consoleUrl = portal.opsUrl.replace('127.0.0.1', 'localhost');
    const erased: unknown[] = [];
    let kept: RecordingsState = {
      isOn: false,
      keeper: null,
      isThis: true,
      sessions: 0,
      bytes: 0,
      fault: null,
    };
    let sessions: readonly SessionSummary[] = [];
    const answer = (url: string): SessionList => {
      const isEarlier = new URL(url).searchParams.has('before');
      return { sessions, next: isEarlier || sessions.length === 0 ? undefined : 7, kept };
    };
    // Without accounts everybody is a viewer, and only editors erase.
    const account = { name: 'loopback', role: 'editor', kind: 'open', recoveryCodes: null, sessions: [] };
    await page.route('**/api/console/account', (route) => route.fulfill({ json: { at: 0, ...account } }));
    await page.route(/console\/sessions(?:\?|$)/, (route) =>
      route.fulfill({ json: answer(route.request().url()) }),
    );
    await page.route(/console\/sessions\/a{32}$/, (route) => route.fulfill({ json: sessions[0] }));
    await page.route('**/sessions/erase', (route) => {
      erased.push(route.request().postDataJSON());
      return route.fulfill({ json: { ok: true } });
    });
    const reopen = async (state: Partial<RecordingsState>): Promise<void> => {
      kept = { ...kept, ...state };
      await page.goto('about:blank');
      await openView(page, consoleUrl, '#/sessions/');
    };

    await reopen({});
    await expect(page.getByText('"monitoring": { "intakeUrl": "self" }')).toBeVisible();
    await reopen({ isOn: true, isThis: false });
    await expect(page.getByText('WAYPOST_RECORDINGS=on')).toBeVisible();
    await reopen({ keeper: 'portal-b' });
    await expect(page.getByText(/kept by the portal portal-b/)).toBeVisible();
    sessions = [sampleSession()];
    await reopen({ isThis: true, fault: 'no space left', sessions: 5_123, bytes: 420_000_000 });
    await expect(page.getByText('The recordings cannot be written: no space left')).toBeVisible();
    await expect(page.getByText('5,123 sessions are kept, in 420.0 MB')).toBeVisible();
    await page.getByRole('button', { name: 'Show earlier sessions' }).click();
    await expect(page.getByText('Entered line1.example (43 ms)')).toHaveCount(2);

    await page.goto(`${consoleUrl}/#/sessions/${sessions[0]?.id}`);
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('dialog').press('Escape');
    expect(erased).toEqual([]);
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
    await expect(page).toHaveURL(`${consoleUrl}/#/sessions/`);
    expect(erased).toEqual([{ session: sessions[0]?.id }]);
  },
);

/** A visit with a typed text, an error, and a line that is entered late. */
async function visit(page: Page): Promise<void> {
  await page.addInitScript(() => addEventListener('click', (event) => event.preventDefault(), true));
  await page.route(`**${INTAKE_PATH}`, (route) =>
    route.continue({ headers: { ...route.request().headers(), 'X-Country': 'SG' } }),
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

async function readSessions(consoleUrl: string): Promise<SessionList['sessions']> {
  const answer = await fetch(consoleUrl + RECORDING_PATHS.sessions);
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

/** The texts of all files in a folder, as they are and unpacked. */
async function readFiles(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map((file) => readFile(file)));
  return contents.flatMap((bytes) => [bytes.toString()].concat(findPacked(bytes).map(unpack)));
}

/** Every place where something packed could start. */
function findPacked(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let at = bytes.indexOf(GZIP_START); at !== -1; at = bytes.indexOf(GZIP_START, at + 1)) {
    parts.push(bytes.subarray(at));
  }
  return parts;
}

function unpack(bytes: Buffer): string {
  try {
    return gunzipSync(bytes).toString();
  } catch {
    return bytes.toString(); // Not packed.
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It has an address, because it listens.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://attacker.localhost:${port}`,
    connections: () => connections,
    close: () => server.close(),
  };
}
