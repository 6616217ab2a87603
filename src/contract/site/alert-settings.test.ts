import * as v from 'valibot';
import { expect, test } from 'vitest';
import { describeSiteFault } from '../faults/describe-site-fault.ts';
import { alertSettings } from './alert-settings.ts';
import { findJsonFaults } from './find-json-faults.ts';

const HOOK = { name: 'hook', kind: 'webhook', url: 'https://hooks.example.com/a' };
const MAIL = {
  name: 'office',
  kind: 'mail',
  server: 'smtp://mail.example:587',
  from: 'a@b.example',
  to: ['c@d.example'],
};
const CHAT = { name: 'night', kind: 'telegram', chat: '-100123', secret: 'env:WAYPOST_ALERT_NIGHT' };

/** The faults of settings, each with its place. */
function check(settings: unknown): readonly string[] {
  const { issues = [] } = v.safeParse(alertSettings, settings);
  return findJsonFaults(alertSettings, issues).map(({ path, ...fault }) =>
    describeSiteFault({ ...fault, place: { file: 'site.json', path } }, 'en'),
  );
}

test('the defaults are those of the docs', () => {
  expect(v.parse(alertSettings, {})).toEqual({
    objective: 0.99,
    confirm: { everySeconds: 5, bad: 3, good: 2, calmSeconds: 60 },
    channels: [],
    rules: [],
  });
  const { rules } = v.parse(alertSettings, { channels: [HOOK], rules: [{ to: ['hook'] }] });
  expect(rules).toEqual([{ severity: 'low', lines: ['*'], to: ['hook'], resolved: true }]);
});

test('takes every kind of channel, and a whole rule', () => {
  const rule = {
    when: ['line-down'],
    severity: 'high',
    lines: ['*.example'],
    to: ['night', 'office', 'hook'],
    remindMinutes: 5,
    hours: '22:00-08:00 Asia/Singapore',
    resolved: false,
    escalate: [{ afterMinutes: 10, to: ['team', 'on-call'] }],
  };
  const team = { name: 'team', kind: 'slack', url: 'env:WAYPOST_ALERT_TEAM', timeZone: 'Asia/Singapore' };
  const pager = { name: 'pager', kind: 'pagerduty', secret: 'env:WAYPOST_ALERT_PAGER' };
  const onCall = [{ name: 'week-1', to: ['pager'], from: '2026-12-01T00:00+08:00' }];
  const hook = { ...HOOK, secret: 'file:hook.txt', body: '{"text":"{{text}}"}' };
  expect(check({ channels: [hook, MAIL, CHAT, team, pager], onCall, rules: [rule] })).toEqual([]);
});

test.each<[string, unknown, string]>([
  ['a kind that there is not', { ...HOOK, kind: 'icq' }, 'channels[0].kind must be "webhook", "telegram"'],
  [
    'the address of a chat itself, because it is a secret',
    { name: 'team', kind: 'slack', url: 'https://hooks.example.com/a' },
    'channels[0].url must say where the secret is',
  ],
  [
    'a time zone that there is not',
    { ...HOOK, timeZone: 'Mars/Base' },
    'channels[0].timeZone must be the name',
  ],
  [
    'a placeholder that there is not',
    { ...HOOK, body: '{"text":"{{titel}}"}' },
    'channels[0].body has {{titel}}, which is no placeholder: did you mean {{title}}?',
  ],
  ['a body that is no text', { ...HOOK, body: { text: '{{text}}' } }, 'channels[0].body must be JSON'],
  [
    'a secret that is written down',
    { ...CHAT, secret: '123:abc' },
    'channels[0].secret must say where the secret is',
  ],
  [
    'a variable of somebody else',
    { ...CHAT, secret: 'env:HOME' },
    'channels[0].secret must say where the secret is',
  ],
  [
    'a file elsewhere',
    { ...CHAT, secret: 'file:../people.json' },
    'channels[0].secret must say where the secret is',
  ],
  ['no secret for a bot', { ...CHAT, secret: undefined }, 'channels[0].secret'],
  ['a chat by its name', { ...CHAT, chat: 'night shift' }, 'channels[0].chat must be the id of a chat'],
  [
    'an address that is no URL',
    { ...HOOK, url: 'hooks.example.com' },
    'channels[0].url must be an absolute URL',
  ],
  ['a body that is no JSON', { ...HOOK, body: '{"text": {{text}}}' }, 'channels[0].body must be JSON'],
  [
    'a password in the address of the mail server',
    { ...MAIL, server: 'smtp://a:b@mail.example' },
    'channels[0].server must be a mail server',
  ],
  [
    'a mail server by http',
    { ...MAIL, server: 'http://mail.example' },
    'channels[0].server must be a mail server',
  ],
  ['nobody to write to', { ...MAIL, to: [] }, 'channels[0].to must name at least one mail address'],
  ['an unknown key', { ...HOOK, token: 'x' }, 'channels[0].token'],
])('refuses %s', (_what, channel, fault) => {
  expect(check({ channels: [channel] })[0]).toContain(fault);
});

test.each<[string, object, string]>([
  ['an unknown kind of incident', { when: ['line-dwon'] }, 'rules[0].when[0] must be one of line-down'],
  ['reminders that come too often', { remindMinutes: 4 }, 'rules[0].remindMinutes must be at least 5'],
  ['hours without a zone', { hours: '22:00-08:00' }, 'rules[0].hours must be hours with a time zone'],
  [
    'hours in a zone that there is not',
    { hours: '22:00-08:00 Asia/Atlantis' },
    'rules[0].hours must be hours with a time zone',
  ],
  [
    'an hour that there is not',
    { hours: '24:00-08:00 UTC' },
    'rules[0].hours must be hours with a time zone',
  ],
  [
    'an unknown channel',
    { to: ['hok'] },
    'rules[0].to[0] must be the name of a channel in alerts.channels: hook',
  ],
  [
    'people on call, if nobody is',
    { to: ['on-call'] },
    'rules[0].to[0] must be the name of a channel in alerts.channels: hook',
  ],
  [
    'an unknown channel to escalate to',
    { escalate: [{ afterMinutes: 5, to: ['hok'] }] },
    'rules[0].escalate[0].to[0] must be the name of a channel',
  ],
])('refuses a rule with %s', (_what, rule, fault) => {
  expect(check({ channels: [HOOK], rules: [{ to: ['hook'], ...rule }] })[0]).toContain(fault);
});

test('refuses two channels of the same name, and an objective that nobody can hold', () => {
  expect(check({ channels: [HOOK, HOOK] })[0]).toContain(
    'channels[1] must have a name that no channel before it has',
  );
  expect(check({ objective: 1 })[0]).toContain('objective must be a number from 0.5 to 0.9999');
});
