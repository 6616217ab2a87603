import { expect, test } from 'vitest';
import type { ConsoleOverview, LineStatus } from '../../../contract/console.ts';
import { nameIncident } from '../../../contract/describe-incident.ts';
import type { ConsoleIncidents, Incident, IncidentPart } from '../../../contract/incidents.ts';
import { MessageError } from '../../messages/reach-safely.ts';
import { createSiteFiles } from '../../testing/site-files.ts';
import { createTestConsole } from '../../testing/test-console.ts';
import { describeIncident } from './describe-incident.ts';

const INCIDENT: Incident = {
  id: 'a1',
  cause: 'line/a',
  kind: 'line-down',
  severity: 'high',
  subject: 'a.example',
  affected: [],
  detail: { kind: 'not-reached', by: 'visitors' },
  visitors: 0,
  startedAt: 1,
  endedAt: null,
  takenBy: null,
  timeline: [],
};
const CHANNEL = { name: 'night', kind: 'webhook', waiting: 0, sentAt: null, fault: null } as const;

/** The console of a server with one open incident and one channel. Who asks is an owner, with the listener's token. */
async function openConsole(options?: Pick<NonNullable<Parameters<typeof createTestConsole>[0]>, 'files'>) {
  const done: string[] = [];
  const token = 'a-token-of-the-listener';
  const console = await createTestConsole({
    ...options,
    token,
    incidents: {
      list: () => [INCIDENT],
      listOpen: () => [INCIDENT],
      channels: () => [CHANNEL],
      take: async ({ id, by }) => (id === 'a1' ? done.push(`${by} took ${id}`) > 0 : false),
      test: async (channel) => {
        done.push(`tested ${channel}`);
        throw new MessageError({ kind: 'channel-status', host: 'hook.example', status: 500 });
      },
    },
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = (path: string, body: string) => console.ask(path, { method: 'POST', headers, body });
  return { ...console, done, headers, post };
}

test('lists incidents and channels, and the overview has the number of open ones', async () => {
  const { ask, headers } = await openConsole();
  const { text } = await ask('/api/console/incidents', { headers });
  expect(JSON.parse(text) as ConsoleIncidents).toMatchObject({
    incidents: [
      {
        ...INCIDENT,
        isSilenced: false,
        words: { next: { en: expect.stringContaining('another network') as string } },
      },
    ],
    channels: [CHANNEL],
  });
  const overview = await ask('/api/console/overview', { headers });
  expect(JSON.parse(overview.text)).toMatchObject({ openIncidents: 1, otherIncident: null });
});

test.each<[what: string, open: readonly Partial<Incident>[], told: string | null]>([
  [
    'visitors who get in nowhere',
    [{ kind: 'visitors-lost', cause: 'visitors' }],
    'Too many visitors reach no line',
  ],
  [
    'the most urgent one',
    [
      { kind: 'reports-refused', cause: 'reports', severity: 'low', startedAt: 1 },
      { kind: 'store-down', cause: 'store/database', severity: 'high', startedAt: 3 },
      { kind: 'visitors-lost', cause: 'visitors', severity: 'high', startedAt: 2 },
    ],
    'Too many visitors reach no line',
  ],
  [
    'nothing that the states of portal and site show',
    [
      { kind: 'portal-cut-off', cause: 'portal/a' },
      { kind: 'site-refused', cause: 'site' },
    ],
    null,
  ],
])('the overview tells of %s', async (_what, open, told) => {
  const { ask } = await createTestConsole({
    incidents: { listOpen: () => open.map((incident) => ({ ...INCIDENT, ...incident })) },
  });
  const { text } = await ask('/api/console/overview');
  const { otherIncident } = JSON.parse(text) as ConsoleOverview;
  expect(otherIncident?.names.en ?? null).toBe(told);
});

test.each(['line-lost', 'line-down', 'line-degraded'] as const)(
  'the overview tells of no %s: the state of the line does, and ends when the trouble does',
  async (kind) => {
    const { read } = await createTestConsole({ incidents: { listOpen: () => [{ ...INCIDENT, kind }] } });
    expect((await read<ConsoleOverview>('/api/console/overview')).otherIncident).toBeNull();
  },
);

const facts = (findStatus: (line: string) => LineStatus) => ({
  isSilenced: () => false,
  findStatus,
  now: () => 99,
});

test('an open incident of several lines says how each of them is now', () => {
  const part = (line: string, more: Partial<IncidentPart> = {}): IncidentPart => ({
    cause: `line/${line}`,
    kind: 'line-down',
    severity: 'high',
    subject: line,
    affected: [],
    detail: { kind: 'cut-off' },
    since: 1,
    changedAt: 2,
    endedAt: null,
    hasReturned: false,
    ...more,
  });
  const parts = [part('a'), part('b', { affected: ['SG/AS1'] }), part('c'), part('d', { endedAt: 3 })];
  const incident: Incident = { ...INCIDENT, kind: 'line-down', parts, lineCount: 9 };
  const seeNow = (statuses: Readonly<Record<string, LineStatus>>) => {
    const shown = describeIncident(
      incident,
      facts((line) => statuses[line] ?? 'unknown'),
    );
    return [nameIncident(shown, 'en'), shown.parts?.map(({ endedAt }) => endedAt), shown.easedTo];
  };
  expect(seeNow({ a: 'down', b: 'degraded', c: 'up' })).toEqual([
    'a is down for everyone',
    [null, null, 99, 3],
    null,
  ]);
  expect(seeNow({ a: 'degraded', b: 'degraded', c: 'up' })[0]).toBe('a works only in part');
  expect(seeNow({ a: 'up', b: 'degraded', c: 'up' })[0]).toBe('Visitors of some networks do not reach b');
  expect(seeNow({ a: 'up', b: 'up', c: 'up' })).toEqual([expect.any(String), [99, 99, 99, 3], 'up']);
});

test('an open incident says if its line is better by now', () => {
  const ease = (kind: Incident['kind'], status: LineStatus, more: Partial<Incident> = {}) =>
    describeIncident(
      { ...INCIDENT, kind, ...more },
      facts(() => status),
    ).easedTo;
  expect(ease('line-down', 'down')).toBeNull();
  expect(ease('line-down', 'degraded')).toBe('degraded');
  expect(ease('line-lost', 'degraded')).toBeNull();
  expect(ease('line-lost', 'up')).toBe('up');
  expect(ease('line-down', 'unknown')).toBeNull();
  // One that is over, and one that is not about a line.
  expect(ease('line-down', 'up', { endedAt: 5 })).toBeNull();
  expect(ease('visitors-lost', 'up', { cause: 'visitors' })).toBeNull();
});

test('says of an incident in maintenance that nobody is told', async () => {
  const files = await createSiteFiles((config) => {
    Object.assign(config, { maintenance: [{ until: '2026-01-05T13:00:00Z', reason: 'moving house' }] });
  });
  const { ask, headers } = await openConsole({ files });
  const { text } = await ask('/api/console/incidents', { headers });
  expect((JSON.parse(text) as ConsoleIncidents).incidents).toMatchObject([{ id: 'a1', isSilenced: true }]);
});

test('an incident is taken by the person who asks, and the audit log says so', async () => {
  const { post, done, people } = await openConsole();
  expect((await post('/api/console/incidents/take', '{"id":"a1"}')).status).toBe(200);
  expect(done).toEqual(['WAYPOST_OPS_TOKEN took a1']);
  expect(await people.audit.read({ limit: 1 })).toMatchObject([{ action: 'incident-taken', to: 'a1' }]);
  const unknown = await post('/api/console/incidents/take', '{"id":"a2"}');
  expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('unknown-incident')]);
});

test('a test says why the channel did not take it', async () => {
  const { post, done } = await openConsole();
  const answer = await post('/api/console/channels/test', '{"channel":"night"}');
  expect([answer.status, answer.text]).toEqual([
    502,
    expect.stringContaining('did not take the test: hook.example answered with status 500.'),
  ]);
  expect(JSON.parse(answer.text)).toMatchObject({
    error: { fault: { kind: 'channel-status', host: 'hook.example', status: 500 } },
  });
  expect(done).toEqual(['tested night']);
  const unknown = await post('/api/console/channels/test', '{"channel":"day"}');
  expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('unknown-channel')]);
});

test.each(['', '{"id":1}', '{"id":"a1","x":1}', `{"id":"${'a'.repeat(2_000)}"}`])(
  'refuses the body %j',
  async (body) => {
    const { post } = await openConsole();
    expect((await post('/api/console/incidents/take', body)).status).toBe(400);
  },
);
