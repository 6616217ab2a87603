import { beforeEach, describe, expect, test } from 'vitest';
import type {
  ConsoleAccount,
  ConsoleAudit,
  ConsoleInvitation,
  ConsoleNewToken,
  ConsolePeople,
  ConsoleRecoveryCodes,
  ConsoleSecondFactor,
} from '../../../contract/people.ts';
import { DESK_PATHS, PEOPLE_PATHS } from '../../../contract/paths.ts';
import { createAddressRanges } from '../../caller/address-ranges.ts';
import { invitePerson, removePerson } from '../../people/manage-people.ts';
import type { Database } from '../../store/database.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { openTestDesk } from '../../testing/test-desk.ts';
import { type TestConsole, createTestConsole } from '../../testing/test-console.ts';
import { PASSWORD, type TestPerson, codeOf } from '../../testing/test-people.ts';

const ORIGIN = { origin: 'http://localhost:8081' };
const OVERVIEW = '/api/console/overview';

let console: TestConsole;

/** A browser: it keeps its cookie. */
function openBrowser(from = '127.0.0.1') {
  let cookie = '';
  const send = async (path: string, question: Parameters<TestConsole['ask']>[1]) => {
    const headers = { ...ORIGIN, ...(cookie === '' ? {} : { cookie }), ...question?.headers };
    const answer = await console.ask(path, { from, ...question, headers });
    const given = answer.headers['set-cookie']?.split(';')[0];
    if (given !== undefined) cookie = given;
    return answer;
  };
  return {
    get: (path: string) => send(path, {}),
    read: async <T>(path: string) => JSON.parse((await send(path, {})).text) as T,
    post: (path: string, body: object = {}) =>
      send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    submit: (path: string, form: Readonly<Record<string, string>>) =>
      send(path, { method: 'POST', body: new URLSearchParams(form).toString() }),
    cookie: () => cookie,
  };
}

type Browser = ReturnType<typeof openBrowser>;

function nextCode({ secret }: TestPerson): string {
  console.portal.clock.now += 30_000;
  return codeOf(secret, console.portal.clock.now);
}

async function signIn(person: TestPerson, from?: string): Promise<Browser> {
  const browser = openBrowser(from);
  const form = { name: person.name, password: PASSWORD, code: nextCode(person) };
  expect((await browser.submit('/login', form)).status).toBe(303);
  return browser;
}

const actions = () => console.people.entries.map(({ by, action, to }) => [by, action, ...(to ? [to] : [])]);

describe('with accounts', () => {
  let mei: TestPerson;
  let owner: Browser;

  async function openConsole(sessionsIn?: Database): Promise<void> {
    console = await createTestConsole({ sessionsIn });
    mei = await console.people.add('mei', 'owner');
    owner = await signIn(mei);
  }

  beforeEach(() => openConsole());

  test('loopback signs in, too, and the form asks for name, password and code', async () => {
    const stranger = openBrowser();
    expect((await stranger.get(OVERVIEW)).status).toBe(401);
    const page = await stranger.get('/');
    expect(page.status).toBe(401);
    expect(page.text).toMatch(/name="name"[^]*name="password"[^]*name="code"/);
    expect(page.text).not.toContain('name="token"');
    expect((await owner.get(OVERVIEW)).status).toBe(200);
  });

  test('what programs ask of a listener on loopback stays as it was', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect([path, (await openBrowser().get(path)).status]).toEqual([path, 200]);
    }
    const headers = { host: 'rebound.example' };
    expect((await console.ask('/metrics', { headers })).status).toBe(421);
  });

  test('a wrong name, password or code gets one and the same answer', async () => {
    const good = { name: 'mei', password: PASSWORD, code: '000000' };
    const answers = await Promise.all(
      [good, { ...good, name: 'nobody' }, { ...good, password: 'wrong' }, {}].map(async (form) => {
        const { status, text } = await openBrowser().submit('/login', form);
        return { status, text };
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.text).toContain('Name, password or code is wrong.');
  });

  test('an owner invites, and the invited person sets up an account with the link', async () => {
    const { path } = JSON.parse(
      (await owner.post(PEOPLE_PATHS.invite, { name: 'li.wei', role: 'editor' })).text,
    ) as ConsoleInvitation;
    const guest = openBrowser();
    const page = await guest.get(path);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('<svg')]);
    const secret = (/<code id="key"[^>]*>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(
      ' ',
      '',
    );
    const key = new URLSearchParams(path.split('?')[1]).get('key') ?? '';
    const form = { key, password: PASSWORD, code: codeOf(secret, console.portal.clock.now) };
    const weak = await guest.submit('/invitation', { ...form, password: 'short' });
    expect([weak.status, weak.text]).toEqual([400, expect.stringContaining('at least 12 characters')]);
    const done = await guest.submit('/invitation', form);
    expect(done.text.match(/<li><code>[A-Z2-7-]{27}<\/code>/g)).toHaveLength(10);
    expect(await guest.read<ConsoleAccount>(PEOPLE_PATHS.account)).toMatchObject({
      name: 'li.wei',
      role: 'editor',
      kind: 'password',
      recoveryCodes: 10,
    });
    expect((await openBrowser().get(path)).status).toBe(410);
    expect((await openBrowser().submit('/invitation', form)).status).toBe(410);
    expect(actions()).toEqual([
      ['mei', 'signed-in'],
      ['mei', 'invited', 'li.wei'],
      ['li.wei', 'invitation-used'],
    ]);
  });

  test('a role that changes, a reset and a removal end the sessions at once', async () => {
    const chen = await console.people.add('chen', 'editor');
    for (const [path, body] of [
      [PEOPLE_PATHS.role, { name: 'chen', role: 'viewer' }],
      [PEOPLE_PATHS.endSessions, { name: 'chen' }],
      [PEOPLE_PATHS.reset, { name: 'chen' }],
    ] as const) {
      const browser = await signIn(chen);
      expect((await browser.get(OVERVIEW)).status).toBe(200);
      expect((await owner.post(path, body)).status).toBe(200);
      expect([path, (await browser.get(OVERVIEW)).status]).toEqual([path, 401]);
    }
    const lin = await console.people.add('lin', 'editor');
    const browser = await signIn(lin);
    expect((await owner.post(PEOPLE_PATHS.remove, { name: 'lin' })).status).toBe(200);
    expect((await browser.get(OVERVIEW)).status).toBe(401);
    // The same name later is another person.
    await console.people.add('lin', 'editor');
    expect((await browser.get(OVERVIEW)).status).toBe(401);
  });

  test('a draft goes with its person, and the same name later begins without one', async () => {
    const { desk, stores } = await openTestDesk();
    console = await createTestConsole({ desk });
    owner = await signIn(await console.people.add('mei', 'owner'));
    const edit = { file: 'site.json', edits: [{ path: ['theme', 'accent'], value: '#5ec28f' }] };
    const hasDraft = async (browser: Browser) =>
      (await browser.read<{ draft: object | null }>(DESK_PATHS.state)).draft !== null;
    const lin = await signIn(await console.people.add('lin', 'editor'));
    expect((await lin.post(DESK_PATHS.edit, edit)).status).toBe(200);
    expect(await hasDraft(lin)).toBe(true);
    expect((await owner.post(PEOPLE_PATHS.remove, { name: 'LIN' })).status).toBe(200);
    expect(await stores.drafts.get('lin')).toBeUndefined();

    // Removed elsewhere, such as with `waypost operator remove`: this portal learns of it later.
    const chen = await signIn(await console.people.add('chen', 'editor'));
    await chen.post(DESK_PATHS.edit, edit);
    await console.people.store.update((people) => ({
      next: removePerson(people, 'chen'),
      result: undefined,
    }));
    console.portal.clock.now += 1;
    expect(await hasDraft(await signIn(await console.people.add('chen', 'editor')))).toBe(false);
  });

  test('the last owner stays, and an unknown person is named', async () => {
    for (const path of [PEOPLE_PATHS.remove, PEOPLE_PATHS.reset]) {
      const { status, text } = await owner.post(path, { name: 'mei' });
      expect([status, text]).toEqual([409, expect.stringContaining('last-owner')]);
    }
    expect((await owner.post(PEOPLE_PATHS.role, { name: 'mei', role: 'viewer' })).status).toBe(409);
    expect((await owner.post(PEOPLE_PATHS.remove, { name: 'nobody' })).status).toBe(404);
    expect((await owner.post(PEOPLE_PATHS.invite, { name: 'MEI', role: 'viewer' })).status).toBe(409);
  });

  test.each([
    ['a name with a newline', { name: 'li\nwei', role: 'viewer' }],
    ['a name with markup', { name: '<b>li</b>', role: 'viewer' }],
    ['no name', { name: '', role: 'viewer' }],
    ['a name of 65 characters', { name: 'a'.repeat(65), role: 'viewer' }],
    ['an unknown role', { name: 'li', role: 'root' }],
    ['one key more', { name: 'li', role: 'viewer', isOwner: true }],
    ['a list', []],
  ])('an invitation for %s is refused', async (_what, body) => {
    const { status, text } = await owner.post(PEOPLE_PATHS.invite, body);
    expect([status, text]).toEqual([400, expect.stringContaining('body-invalid')]);
  });

  test('a body that is too long, or no JSON, is refused', async () => {
    expect((await owner.post(PEOPLE_PATHS.invite, { name: 'a'.repeat(9_000), role: 'viewer' })).status).toBe(
      413,
    );
    const headers = { ...ORIGIN, cookie: owner.cookie(), 'content-type': 'application/json' };
    const { status } = await console.ask(PEOPLE_PATHS.invite, { method: 'POST', headers, body: '{' });
    expect(status).toBe(400);
  });

  test('sensitive changes need password and code again after ten minutes, and the session gets a new key', async () => {
    console.portal.clock.now += 600_000;
    const invite = () => owner.post(PEOPLE_PATHS.invite, { name: 'li.wei', role: 'viewer' });
    expect((await invite()).text).toContain('confirm-required');
    const wrong = await owner.post(PEOPLE_PATHS.confirm, { password: PASSWORD, code: '000000' });
    expect([wrong.status, wrong.text]).toEqual([403, expect.stringContaining('wrong-proof')]);
    const before = owner.cookie();
    await owner.post(PEOPLE_PATHS.confirm, { password: PASSWORD, code: nextCode(mei) });
    expect(owner.cookie()).not.toBe(before);
    expect((await invite()).status).toBe(200);
    expect((await console.ask(OVERVIEW, { headers: { cookie: before } })).status).toBe(401);
    expect(actions().slice(1)).toEqual([
      ['mei', 'sign-in-failed'],
      ['mei', 'confirmed'],
      ['mei', 'invited', 'li.wei'],
    ]);
  });

  test('a new password ends all other sessions, and keeps this one', async () => {
    const other = await signIn(mei);
    const change = { current: PASSWORD, next: 'another horse battery' };
    expect((await owner.post(PEOPLE_PATHS.password, { ...change, current: 'wrong' })).status).toBe(403);
    expect((await owner.post(PEOPLE_PATHS.password, change)).status).toBe(200);
    expect((await owner.get(OVERVIEW)).status).toBe(200);
    expect((await other.get(OVERVIEW)).status).toBe(401);
  });

  test('a new second factor ends all other sessions, and gives new recovery codes', async () => {
    const other = await signIn(mei);
    const { secret } = JSON.parse((await owner.post(PEOPLE_PATHS.secondFactor)).text) as ConsoleSecondFactor;
    expect((await owner.post(PEOPLE_PATHS.secondFactorCode, { code: '000000' })).status).toBe(403);
    const answer = await owner.post(PEOPLE_PATHS.secondFactorCode, {
      code: codeOf(secret, console.portal.clock.now),
    });
    const { codes } = JSON.parse(answer.text) as ConsoleRecoveryCodes;
    expect(codes).toHaveLength(10);
    expect((await owner.get(OVERVIEW)).status).toBe(200);
    expect((await other.get(OVERVIEW)).status).toBe(401);
    const form = { name: 'mei', password: PASSWORD, code: codes[3] ?? '' };
    expect((await openBrowser().submit('/login', form)).status).toBe(303);
    const made = JSON.parse((await owner.post(PEOPLE_PATHS.recoveryCodes)).text) as ConsoleRecoveryCodes;
    expect((await openBrowser().submit('/login', { ...form, code: codes[4] ?? '' })).status).toBe(401);
    expect((await openBrowser().submit('/login', { ...form, code: made.codes[4] ?? '' })).status).toBe(303);
  });

  test('sessions are listed with their prefixes, and can be ended one by one or all but this one', async () => {
    await openConsole(await openTestDatabase());
    const [second, third] = [await signIn(mei, '192.0.2.7'), await signIn(mei, '2001:db8:1:2::3')];
    const { sessions } = await owner.read<ConsoleAccount>(PEOPLE_PATHS.account);
    expect(sessions.map(({ prefix, isThis }) => [prefix, isThis])).toEqual([
      ['2001:db8:1::/48', false],
      ['192.0.2.0/24', false],
      ['127.0.0.0/24', true],
    ]);
    await owner.post(PEOPLE_PATHS.endSession, { id: sessions[1]?.id ?? '' });
    expect([(await second.get(OVERVIEW)).status, (await third.get(OVERVIEW)).status]).toEqual([401, 200]);
    await owner.post(PEOPLE_PATHS.endSession, { id: null });
    expect([(await third.get(OVERVIEW)).status, (await owner.get(OVERVIEW)).status]).toEqual([401, 200]);
  });

  test('nobody ends the sessions of others with the id of a session', async () => {
    await openConsole(await openTestDatabase());
    const viewer = await signIn(await console.people.add('li.wei', 'viewer'));
    const [session] = (await owner.read<ConsoleAccount>(PEOPLE_PATHS.account)).sessions;
    expect((await viewer.post(PEOPLE_PATHS.endSession, { id: session?.id ?? '' })).status).toBe(200);
    expect((await owner.get(OVERVIEW)).status).toBe(200);
  });

  test('a token has its role until it ends or is revoked, and is shown once', async () => {
    const make = async (name: string) => {
      const { text } = await owner.post(PEOPLE_PATHS.makeToken, { name, role: 'viewer', days: 30 });
      return (JSON.parse(text) as ConsoleNewToken).token;
    };
    const ask = async (token: string, path = OVERVIEW) =>
      (await console.ask(path, { headers: { authorization: `Bearer ${token}` } })).status;
    const [grafana, backup] = [await make('grafana'), await make('backup')];
    expect([await ask(grafana), await ask(grafana, PEOPLE_PATHS.people)]).toEqual([200, 403]);
    const { tokens } = await owner.read<ConsolePeople>(PEOPLE_PATHS.people);
    expect(JSON.stringify([tokens, console.people.store.read()])).not.toContain(grafana);
    expect(tokens[1]).toMatchObject({ name: 'backup', role: 'viewer', madeBy: 'mei' });
    await owner.post(PEOPLE_PATHS.revokeToken, { id: tokens[1]?.id ?? '' });
    expect([await ask(grafana), await ask(backup)]).toEqual([200, 401]);
    console.portal.clock.now += 30 * 86_400_000;
    expect(await ask(grafana)).toBe(401);
  });

  test('what was done is in the audit log: newest first, by person, and as lines', async () => {
    await owner.post(PEOPLE_PATHS.invite, { name: 'li.wei', role: 'viewer' });
    await owner.submit('/login', { name: 'a password by mistake', password: '', code: '' });
    const { entries, next } = await owner.read<ConsoleAudit>(PEOPLE_PATHS.audit);
    expect(next).toBeNull();
    expect(entries.map(({ by, action }) => [by, action])).toEqual([
      ['unknown name', 'sign-in-failed'],
      ['mei', 'invited'],
      ['mei', 'signed-in'],
    ]);
    expect(entries[1]).toMatchObject({ to: 'li.wei', detail: 'viewer', prefix: '127.0.0.0/24' });
    const ofPerson = await owner.read<ConsoleAudit>(`${PEOPLE_PATHS.audit}?person=li.wei`);
    expect(ofPerson.entries).toHaveLength(1);
    const lines = (await owner.get(PEOPLE_PATHS.auditLines)).text.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual([
      'signed-in',
      'invited',
      'sign-in-failed',
    ]);
  });

  test('while the database is away, pages say what works and what does not', async () => {
    const { path } = JSON.parse(
      (await owner.post(PEOPLE_PATHS.invite, { name: 'li.wei', role: 'editor' })).text,
    ) as ConsoleInvitation;
    const key = new URLSearchParams(path.split('?')[1]).get('key') ?? '';
    const { secret = '' } = console.people.accounts.openInvitation(key) ?? {};
    console.people.goAway();
    const code = codeOf(secret, console.portal.clock.now);
    const invitation = await openBrowser().submit('/invitation', { key, password: PASSWORD, code });
    expect([invitation.status, invitation.text]).toEqual([
      503,
      expect.stringContaining('The database is away, and nothing was changed.'),
    ]);
    const recovery = { name: 'mei', password: PASSWORD, code: mei.recoveryCodes[0] ?? '' };
    const refused = await openBrowser().submit('/login', recovery);
    expect([refused.status, refused.text]).toEqual([
      503,
      expect.stringContaining('Sign in with a code of the app'),
    ]);
    expect((await (await signIn(mei)).get(OVERVIEW)).status).toBe(200);
    const change = await owner.post(PEOPLE_PATHS.invite, { name: 'anna', role: 'viewer' });
    expect([change.status, change.text]).toEqual([503, expect.stringContaining('"store-away"')]);
  });

  test('a change of which nobody knows whether it was made is in the audit log as such', async () => {
    await owner.post(PEOPLE_PATHS.makeToken, { name: 'grafana', role: 'viewer', days: 30 });
    const { tokens } = await owner.read<ConsolePeople>(PEOPLE_PATHS.people);
    console.people.entries.length = 0;
    console.people.loseAnswers();
    const person = { name: 'li.wei', role: 'viewer' };
    for (const [path, body] of [
      [PEOPLE_PATHS.invite, person],
      [PEOPLE_PATHS.role, person],
      [PEOPLE_PATHS.reset, { name: person.name }],
      [PEOPLE_PATHS.endSessions, { name: person.name }],
      [PEOPLE_PATHS.remove, { name: person.name }],
      [PEOPLE_PATHS.makeToken, { name: 'backup', role: 'viewer', days: 30 }],
      [PEOPLE_PATHS.revokeToken, { id: tokens[0]?.id ?? '' }],
      // Refused before anything could be changed.
      [PEOPLE_PATHS.remove, { name: 'nobody' }],
    ] as const) {
      expect((await owner.post(path, body)).status).toBe(
        'name' in body && body.name === 'nobody' ? 404 : 503,
      );
    }
    expect(console.people.entries.every(({ isUncertain }) => isUncertain)).toBe(true);
    expect(actions()).toEqual([
      ['mei', 'invited', 'li.wei'],
      ['mei', 'role-changed', 'li.wei'],
      ['mei', 'reset', 'li.wei'],
      ['mei', 'session-ended', 'li.wei'],
      ['mei', 'removed', 'li.wei'],
      ['mei', 'token-made', 'backup'],
      ['mei', 'token-revoked', 'grafana'],
    ]);
  });

  test('the audit log has no address, whatever was done', async () => {
    const [code = ''] = mei.recoveryCodes;
    const browser = openBrowser('192.0.2.7');
    await browser.submit('/login', { name: 'mei', password: PASSWORD, code });
    await browser.post(PEOPLE_PATHS.confirm, { password: PASSWORD, code: nextCode(mei) });
    await browser.post(PEOPLE_PATHS.recoveryCodes);
    const { secret } = JSON.parse(
      (await browser.post(PEOPLE_PATHS.secondFactor)).text,
    ) as ConsoleSecondFactor;
    await browser.post(PEOPLE_PATHS.secondFactorCode, { code: codeOf(secret, console.portal.clock.now) });
    await browser.post(PEOPLE_PATHS.password, { current: PASSWORD, next: 'another horse battery' });
    await browser.submit('/logout', {});
    expect(actions().map(([, action]) => action)).toEqual([
      'signed-in',
      'recovery-code-used',
      'signed-in',
      'confirmed',
      'recovery-codes-made',
      'second-factor-changed',
      'password-changed',
      'signed-out',
    ]);
    const keys = new Set(console.people.entries.flatMap((entry) => Object.keys(entry)));
    expect([...keys].toSorted()).toEqual(['action', 'at', 'by', 'id', 'prefix']);
    expect(JSON.stringify(console.people.entries)).not.toContain('192.0.2.7');
  });

  test('ten wrong tries from one address are enough, whatever the name, and it is noted', async () => {
    for (let guess = 0; guess < 10; guess += 1) {
      const form = { name: `guess ${guess}`, password: '', code: '' };
      expect((await openBrowser('192.0.2.7').submit('/login', form)).status).toBe(401);
    }
    const form = { name: 'mei', password: PASSWORD, code: nextCode(mei) };
    const limited = await openBrowser('192.0.2.7').submit('/login', form);
    expect([limited.status, limited.headers['retry-after']]).toEqual([429, '270']);
    expect(actions().at(-1)).toEqual(['mei', 'sign-in-limited']);
    expect((await openBrowser('192.0.2.8').submit('/login', form)).status).toBe(303);
  });

  test('signing out is noted, and ends the session', async () => {
    await owner.submit('/logout', {});
    expect((await owner.get(OVERVIEW)).status).toBe(401);
    expect(actions().at(-1)).toEqual(['mei', 'signed-out']);
  });
});

test('with editing on, loopback signs in before there is any account', async () => {
  console = await createTestConsole({ mustSignIn: true });
  const page = await openBrowser().get('/');
  expect([page.status, page.text]).toEqual([
    401,
    expect.stringContaining('waypost operator add NAME --role owner'),
  ]);
  expect(page.text).not.toContain('<form');
  expect((await openBrowser().get(OVERVIEW)).status).toBe(401);
});

test('while an invitation is open, the form says so, and not that nobody has an account', async () => {
  console = await createTestConsole({ mustSignIn: true });
  const { now } = console.portal.clock;
  await console.people.store.update((people) => invitePerson(people, { name: 'mei', role: 'owner', now }));
  const invited = await openBrowser().get('/');
  expect(invited.text).toContain('open the link of the invitation');
  expect(invited.text).not.toContain('Nobody has an account yet');
  // Its link works for 24 hours.
  console.portal.clock.now += 24 * 3_600_000;
  expect((await openBrowser().get('/')).text).toContain('Nobody has an account yet');
});

test('without an account, loopback looks and changes nothing', async () => {
  console = await createTestConsole();
  const browser = openBrowser();
  expect(await browser.read<ConsoleAccount>(PEOPLE_PATHS.account)).toMatchObject({
    name: 'loopback',
    role: 'viewer',
    kind: 'open',
    mayEdit: false,
    recoveryCodes: null,
  });
  expect((await browser.post(PEOPLE_PATHS.invite, { name: 'li.wei', role: 'owner' })).status).toBe(403);
  expect((await browser.get(PEOPLE_PATHS.people)).status).toBe(403);
});

describe('with the token of the listener', () => {
  const TOKEN = 'a-long-token-for-programs';

  beforeEach(async () => {
    console = await createTestConsole({ token: TOKEN });
  });

  test('makes the person who gave it in the form an owner, until there is an account', async () => {
    const browser = openBrowser();
    await browser.submit('/login', { token: TOKEN });
    expect((await browser.post(PEOPLE_PATHS.invite, { name: 'li.wei', role: 'owner' })).status).toBe(200);
    expect((await browser.get(OVERVIEW)).status).toBe(200);
    await console.people.add('mei', 'owner');
    expect((await browser.get(OVERVIEW)).status).toBe(401);
    expect((await browser.get('/')).text).toContain('name="password"');
    expect((await openBrowser().submit('/login', { token: TOKEN })).status).toBe(401);
  });

  test('programs go on using it', async () => {
    await console.people.add('mei', 'owner');
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'li.wei', role: 'owner' });
    expect((await console.ask(PEOPLE_PATHS.invite, { method: 'POST', headers, body })).status).toBe(200);
    expect(actions()).toEqual([['WAYPOST_OPS_TOKEN', 'invited', 'li.wei']]);
    expect((await console.ask('/healthz', { headers })).status).toBe(200);
    expect((await console.ask('/healthz')).status).toBe(401);
    expect((await console.ask('/metrics')).status).toBe(401);
  });

  test('it is given once more for sensitive changes', async () => {
    const browser = openBrowser();
    await browser.submit('/login', { token: TOKEN });
    console.portal.clock.now += 600_000;
    const invite = () => browser.post(PEOPLE_PATHS.invite, { name: 'li.wei', role: 'owner' });
    expect((await invite()).status).toBe(403);
    expect((await browser.post(PEOPLE_PATHS.confirm, { password: 'wrong', code: '' })).status).toBe(403);
    expect((await browser.post(PEOPLE_PATHS.confirm, { password: TOKEN, code: '' })).status).toBe(200);
    expect((await invite()).status).toBe(200);
  });
});

describe('behind a proxy that signs people in', () => {
  const asNamed = (name: string, from = '10.0.0.5', more: Readonly<Record<string, string>> = {}) =>
    console.ask(OVERVIEW, { from, headers: { 'x-webauth-user': name, ...more } });

  beforeEach(async () => {
    const ranges = createAddressRanges(['10.0.0.0/24']);
    console = await createTestConsole({ proxy: { header: 'x-webauth-user', ranges } });
    await console.people.add('mei', 'viewer');
  });

  test('the header names the person, from the proxy’s own address alone', async () => {
    expect((await asNamed('mei')).status).toBe(200);
    expect((await asNamed('mei', '10.0.1.5')).status).toBe(401);
    const forged = { 'x-forwarded-for': '10.0.0.5', forwarded: 'for=10.0.0.5' };
    expect((await asNamed('mei', '192.0.2.7', forged)).status).toBe(401);
  });

  test('a name may have any letters', async () => {
    await console.people.add('李伟', 'viewer');
    expect((await asNamed(Buffer.from('李伟').toString('latin1'))).status).toBe(200);
  });

  test('an unknown name gets nothing, and no name gets the form', async () => {
    for (const name of ['nobody', 'mei, nobody', 'mei%00']) {
      const answer = await asNamed(name);
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('unknown-person')]);
    }
    expect((await asNamed('')).status).toBe(401);
  });

  test('a change must still come from the console’s own page', async () => {
    const ask = (headers: Readonly<Record<string, string>>) =>
      console.ask(PEOPLE_PATHS.endSession, {
        method: 'POST',
        from: '10.0.0.5',
        headers: { 'x-webauth-user': 'mei', 'content-type': 'application/json', ...headers },
        body: '{"id":null}',
      });
    expect((await ask({ origin: 'https://evil.example' })).text).toContain('foreign-origin');
    expect((await ask(ORIGIN)).text).toContain('no-password');
  });
});
