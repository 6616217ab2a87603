import { beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '../../../contract/roles.ts';
import {
  CAMPAIGN_PATHS,
  CONSOLE_PATHS,
  DESK_PATHS,
  PEOPLE_PATHS,
  RECORDING_PATHS,
  UPTIME_PATHS,
  VISITOR_PATHS,
} from '../../../contract/paths.ts';
import { makeToken } from '../../people/manage-people.ts';
import { type TestConsole, createTestConsole } from '../../testing/test-console.ts';
import { PASSWORD, codeOf } from '../../testing/test-people.ts';

/**
 * Who may do what at the operator's listener. `needs` is the lowest role, or "nobody" for what strangers may ask. A POST is a
 * form or a change: both must come from the console's own page. `isSensitive`: password and code must be fresh.
 */
const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/healthz', needs: 'nobody' },
  { method: 'GET', path: '/readyz', needs: 'nobody' },
  { method: 'GET', path: '/metrics', needs: 'nobody' },
  { method: 'GET', path: '/assets/*', needs: 'nobody' },
  { method: 'GET', path: '/brand/logo', needs: 'nobody' },
  { method: 'GET', path: '/brand/colours.css', needs: 'nobody' },
  { method: 'GET', path: '/', needs: 'viewer' },
  { method: 'GET', path: CONSOLE_PATHS.login, needs: 'nobody' },
  { method: 'POST', path: CONSOLE_PATHS.login, needs: 'nobody' },
  { method: 'POST', path: CONSOLE_PATHS.logout, needs: 'nobody' },
  { method: 'GET', path: PEOPLE_PATHS.invitation, needs: 'nobody' },
  { method: 'POST', path: PEOPLE_PATHS.invitation, needs: 'nobody' },
  { method: 'GET', path: CONSOLE_PATHS.overview, needs: 'viewer' },
  { method: 'GET', path: CONSOLE_PATHS.lines, needs: 'viewer' },
  { method: 'GET', path: `${CONSOLE_PATHS.lines}/:id`, needs: 'viewer' },
  { method: 'GET', path: CONSOLE_PATHS.networks, needs: 'viewer' },
  { method: 'GET', path: CONSOLE_PATHS.moments, needs: 'viewer' },
  { method: 'GET', path: CONSOLE_PATHS.why, needs: 'viewer' },
  { method: 'GET', path: CONSOLE_PATHS.events, needs: 'viewer' },
  { method: 'GET', path: CONSOLE_PATHS.incidents, needs: 'viewer' },
  { method: 'GET', path: VISITOR_PATHS.numbers, needs: 'viewer' },
  { method: 'GET', path: VISITOR_PATHS.table, needs: 'viewer' },
  { method: 'GET', path: UPTIME_PATHS.numbers, needs: 'viewer' },
  { method: 'GET', path: UPTIME_PATHS.table, needs: 'viewer' },
  { method: 'GET', path: UPTIME_PATHS.incidents, needs: 'viewer' },
  { method: 'GET', path: CAMPAIGN_PATHS.numbers, needs: 'viewer' },
  { method: 'GET', path: CAMPAIGN_PATHS.one, needs: 'viewer' },
  { method: 'GET', path: CAMPAIGN_PATHS.table, needs: 'viewer' },
  { method: 'POST', path: CONSOLE_PATHS.takeIncident, needs: 'viewer' },
  { method: 'POST', path: CONSOLE_PATHS.testChannel, needs: 'editor' },
  { method: 'GET', path: RECORDING_PATHS.sessions, needs: 'viewer' },
  { method: 'GET', path: `${RECORDING_PATHS.sessions}/:id`, needs: 'viewer' },
  { method: 'GET', path: `${RECORDING_PATHS.segments}/:session/:view`, needs: 'viewer' },
  { method: 'GET', path: RECORDING_PATHS.errors, needs: 'viewer' },
  { method: 'POST', path: RECORDING_PATHS.erase, needs: 'editor' },
  { method: 'GET', path: RECORDING_PATHS.player, needs: 'viewer' },
  { method: 'GET', path: '/site/*', needs: 'viewer' },
  { method: 'GET', path: PEOPLE_PATHS.account, needs: 'viewer' },
  { method: 'POST', path: PEOPLE_PATHS.confirm, needs: 'viewer' },
  { method: 'POST', path: PEOPLE_PATHS.password, needs: 'viewer' },
  { method: 'POST', path: PEOPLE_PATHS.secondFactor, needs: 'viewer', isSensitive: true },
  { method: 'POST', path: PEOPLE_PATHS.secondFactorCode, needs: 'viewer', isSensitive: true },
  { method: 'POST', path: PEOPLE_PATHS.recoveryCodes, needs: 'viewer', isSensitive: true },
  { method: 'POST', path: PEOPLE_PATHS.endSession, needs: 'viewer', isSensitive: true },
  { method: 'GET', path: PEOPLE_PATHS.people, needs: 'owner' },
  { method: 'POST', path: PEOPLE_PATHS.invite, needs: 'owner', isSensitive: true },
  { method: 'POST', path: PEOPLE_PATHS.role, needs: 'owner', isSensitive: true },
  { method: 'POST', path: PEOPLE_PATHS.remove, needs: 'owner', isSensitive: true },
  { method: 'POST', path: PEOPLE_PATHS.reset, needs: 'owner', isSensitive: true },
  { method: 'POST', path: PEOPLE_PATHS.endSessions, needs: 'owner', isSensitive: true },
  { method: 'POST', path: PEOPLE_PATHS.makeToken, needs: 'owner', isSensitive: true },
  { method: 'POST', path: PEOPLE_PATHS.revokeToken, needs: 'owner', isSensitive: true },
  { method: 'GET', path: PEOPLE_PATHS.audit, needs: 'owner' },
  { method: 'GET', path: PEOPLE_PATHS.auditLines, needs: 'owner' },
  { method: 'GET', path: DESK_PATHS.state, needs: 'viewer' },
  { method: 'GET', path: DESK_PATHS.versions, needs: 'viewer' },
  { method: 'GET', path: DESK_PATHS.difference, needs: 'viewer' },
  { method: 'GET', path: DESK_PATHS.draft, needs: 'viewer' },
  { method: 'GET', path: DESK_PATHS.file, needs: 'viewer' },
  { method: 'POST', path: DESK_PATHS.edit, needs: 'editor' },
  { method: 'POST', path: DESK_PATHS.putFile, needs: 'editor', type: 'application/octet-stream' },
  { method: 'POST', path: DESK_PATHS.removeFile, needs: 'editor' },
  { method: 'POST', path: DESK_PATHS.preview, needs: 'editor' },
  { method: 'POST', path: DESK_PATHS.testChannel, needs: 'owner' },
  { method: 'POST', path: DESK_PATHS.discard, needs: 'editor' },
  { method: 'POST', path: DESK_PATHS.rebase, needs: 'editor' },
  { method: 'POST', path: DESK_PATHS.check, needs: 'editor' },
  { method: 'POST', path: DESK_PATHS.publish, needs: 'editor' },
  { method: 'POST', path: DESK_PATHS.restore, needs: 'editor' },
];

type Route = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly needs: Role | 'nobody';
  readonly isSensitive?: boolean;
  /** Of the body. */
  readonly type?: string;
};

const HOST = 'localhost:8081';
const ORIGIN = { origin: `http://${HOST}` };
/** What a guard answers. Anything else came from behind it. */
const GUARDS = new Set([401, 415, 421, 429]);
const GUARD_CODES = new Set(['role-too-low', 'confirm-required', 'foreign-origin', 'unknown-person']);

let console: TestConsole;
const cookies = {} as Record<Role, string>;
const tokens = {} as Record<Role, string>;

beforeAll(async () => {
  console = await createTestConsole();
  const { people, portal } = console;
  for (const role of ROLES) {
    const { secret } = await people.add(`a ${role}`, role);
    portal.clock.now += 30_000;
    const form = { name: `a ${role}`, password: PASSWORD, code: codeOf(secret, portal.clock.now) };
    const body = new URLSearchParams(form).toString();
    const { headers } = await console.ask('/login', { method: 'POST', headers: ORIGIN, body });
    cookies[role] = headers['set-cookie']?.split(';')[0] ?? '';
    const made = await people.store.update((all) =>
      makeToken(all, { name: `for ${role}`, role, madeBy: 'a owner', days: 1, now: portal.clock.now }),
    );
    tokens[role] = made.token;
  }
});

/** Asks a route, and says whether a guard refused it. */
async function isLetThrough(
  { method, path, type = 'application/json' }: Route,
  headers: Readonly<Record<string, string>>,
): Promise<boolean> {
  const sent = method === 'POST' ? { 'content-type': type, ...headers } : headers;
  // Nothing that a route could take: the guards come first, and no test changes anything for the next one.
  const body = method === 'POST' ? { body: '{"unknown":1}' } : {};
  const { status, text } = await console.ask(path.replace(':id', 'x'), { method, headers: sent, ...body });
  const code = /"code":"([\w-]+)"/.exec(text)?.[1] ?? '';
  // The landing page of a stranger is the login form.
  return !GUARDS.has(status) && !GUARD_CODES.has(code);
}

test('every route of the listener has a row in this table', () => {
  const registered = console.routes
    .filter(({ method, path }) => method !== 'ALL' && path !== '/*')
    .map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(registered)].toSorted()).toEqual(
    ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
});

const FORMS = ROUTES.filter(({ method, needs }) => method === 'POST' && needs === 'nobody');
const GUARDED = ROUTES.filter((route) => !FORMS.includes(route));
const FOREIGN: readonly (readonly [what: string, origin: Readonly<Record<string, string>>])[] = [
  ['of another page', { origin: 'https://evil.example' }],
  ['of none', {}],
  ['opaque', { origin: 'null' }],
];

describe.each(GUARDED)('$method $path, for $needs', (route) => {
  const { needs, isSensitive = false } = route;
  const isEnough = (role: Role) => needs === 'nobody' || ROLES.indexOf(role) >= ROLES.indexOf(needs);

  test.each(ROLES)('with the session of a person: %s', async (role) => {
    expect(await isLetThrough(route, { ...ORIGIN, cookie: cookies[role] })).toBe(isEnough(role));
  });

  test.each(ROLES)('with a token: %s', async (role) => {
    expect(await isLetThrough(route, { authorization: `Bearer ${tokens[role]}` })).toBe(isEnough(role));
  });

  test('without anything', async () => {
    expect(await isLetThrough(route, ORIGIN)).toBe(needs === 'nobody');
  });

  test('ten minutes after password and code were given', async () => {
    const { clock } = console.portal;
    const before = clock.now;
    clock.now += 600_000;
    const isAllowed = await isLetThrough(route, { ...ORIGIN, cookie: cookies.owner });
    clock.now = before;
    expect(isAllowed).toBe(!isSensitive);
  });
});

describe.each(GUARDED.filter(({ method }) => method === 'POST'))('the change $path', (route) => {
  test.each(FOREIGN)('with an origin %s, nobody', async (_what, origin) => {
    expect(await isLetThrough(route, { ...origin, cookie: cookies.owner })).toBe(false);
    // A program with a token has no origin. If there is a foreign one, a page sent it.
    const isProgram = origin['origin'] === undefined;
    expect(await isLetThrough(route, { ...origin, authorization: `Bearer ${tokens.owner}` })).toBe(isProgram);
  });

  test('as a plain form, nobody', async () => {
    const headers = { ...ORIGIN, cookie: cookies.owner, 'content-type': 'text/plain' };
    expect(await isLetThrough(route, headers)).toBe(false);
  });
});

describe.each(FORMS)('the form $path', (route) => {
  test.each(FOREIGN)('with an origin %s, nobody', async (_what, origin) => {
    expect(await isLetThrough(route, { ...origin, cookie: cookies.owner })).toBe(false);
  });
});
