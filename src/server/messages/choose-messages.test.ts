import { describe, expect, test } from 'vitest';
import type { AlertRule } from '../../contract/site/alert-settings.ts';
import { chooseMessages, isTheTime } from './choose-messages.ts';
import type { KeptIncident } from './message.ts';

const MINUTE_MS = 60_000;
const CHANNELS = ['night', 'office'].map((name) => ({
  name,
  kind: 'webhook' as const,
  url: 'https://a.example',
}));
const RULE: AlertRule = { severity: 'low', lines: ['*'], to: ['night'], resolved: true };
const INCIDENT: KeptIncident = {
  id: 'i',
  cause: 'line/a',
  kind: 'line-down',
  severity: 'high',
  subject: 'line1.example',
  affected: [],
  detail: { kind: 'text', text: '' },
  visitors: 0,
  startedAt: 0,
  endedAt: null,
  takenBy: null,
  timeline: [],
  told: {},
  messages: 0,
};

/** Tells of an incident as it goes on, and lists who was told what. */
function createTeller(...rules: readonly Partial<AlertRule>[]) {
  let { told } = INCIDENT;
  return (at: number, change: Partial<KeptIncident> = {}, isSilenced = false) => {
    const settings = { channels: CHANNELS, rules: rules.map((rule) => Object.assign({}, RULE, rule)) };
    const { incident, choices } = chooseMessages(
      { ...INCIDENT, ...change, told },
      { settings, isSilenced, now: at },
    );
    ({ told } = incident);
    return choices.map(({ channel, type }) => `${channel} ${type}`);
  };
}

test('a channel is told once of the beginning and once of the end, whichever rules name it', () => {
  const tell = createTeller({}, { to: ['night', 'office'] });
  expect(tell(0)).toEqual(['night opened', 'office opened']);
  expect(tell(1)).toEqual([]);
  expect(tell(2, { endedAt: 1 })).toEqual(['night resolved', 'office resolved']);
  expect(tell(3, { endedAt: 1 })).toEqual([]);
});

test('one that gets worse, and one that comes back, is told again', () => {
  const tell = createTeller({});
  expect(tell(0, { kind: 'line-lost', severity: 'medium' })).toEqual(['night opened']);
  expect(tell(1)).toEqual(['night changed']);
  expect(tell(2, { endedAt: 2 })).toEqual(['night resolved']);
  expect(tell(3)).toEqual(['night returned']);
});

test.each<[string, Partial<AlertRule>, boolean]>([
  ['another kind', { when: ['certificate'] }, false],
  ['its kind', { when: ['certificate', 'line-down'] }, true],
  ['a severity that it has', { severity: 'high' }, true],
  ['its line', { lines: ['line1.example'] }, true],
  ['its line, written in another way', { lines: ['https://LINE1.example'] }, true],
  ['a pattern of its line', { lines: ['https://*.example'] }, true],
  ['another line', { lines: ['line2.example', 'line1.exampl', 'ine1.example', 'line1xexample'] }, false],
])('a rule for %s', (_what, rule, isTold) => {
  expect(createTeller(rule)(0)).toEqual(isTold ? ['night opened'] : []);
});

test('a rule for lines does not keep back what is about no line', () => {
  const tell = createTeller({ lines: ['line2.example'] });
  expect(tell(0, { cause: 'visitors', kind: 'visitors-lost', subject: '' })).toEqual(['night opened']);
});

test('what is not urgent enough is not told', () => {
  expect(createTeller({ severity: 'high' })(0, { severity: 'medium' })).toEqual([]);
});

test('without "resolved" the end is not told', () => {
  const tell = createTeller({ resolved: false });
  tell(0);
  expect(tell(1, { endedAt: 1 })).toEqual([]);
});

describe('reminders', () => {
  test('come as often as the rule says, until somebody has taken it', () => {
    const tell = createTeller({ remindMinutes: 5 });
    tell(0);
    expect(tell(5 * MINUTE_MS - 1)).toEqual([]);
    expect(tell(5 * MINUTE_MS)).toEqual(['night reminder']);
    expect(tell(10 * MINUTE_MS, { takenBy: 'li.wei' })).toEqual([]);
  });
});

describe('hours', () => {
  test('what begins at another hour is told when the hours begin, if it still lasts', () => {
    const tell = createTeller({ hours: '22:00-08:00 Asia/Singapore' });
    const [noon, night] = [Date.UTC(2026, 0, 5, 4), Date.UTC(2026, 0, 5, 14)];
    expect(tell(noon)).toEqual([]);
    expect(tell(night - 1)).toEqual([]);
    expect(tell(night)).toEqual(['night opened']);
    // The end is told at any hour.
    expect(tell(noon + 24 * 60 * MINUTE_MS, { endedAt: noon })).toEqual(['night resolved']);
  });

  test.each([
    ['09:00-17:00 UTC', 8, 59, false],
    ['09:00-17:00 UTC', 9, 0, true],
    ['09:00-17:00 UTC', 16, 59, true],
    ['09:00-17:00 UTC', 17, 0, false],
    ['22:00-08:00 UTC', 0, 0, true],
    ['22:00-08:00 UTC', 8, 0, false],
  ])('%s at %d:%d is %s', (hours, hour, minute, isIn) => {
    expect(isTheTime(hours, Date.UTC(2026, 0, 5, hour, minute))).toBe(isIn);
  });
});

test('in maintenance nobody is told; what still lasts afterwards is told then', () => {
  const tell = createTeller({});
  expect(tell(0, {}, true)).toEqual([]);
  expect(tell(1)).toEqual(['night opened']);
});

test('a channel that fails is told by all others, without a rule', () => {
  const tell = createTeller({ when: ['line-down'] });
  const failing = {
    cause: 'channel/night',
    kind: 'channel-failing',
    subject: 'night',
    severity: 'medium',
  } as const;
  expect(tell(0, failing)).toEqual(['office opened']);
});
