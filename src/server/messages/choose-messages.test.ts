import { describe, expect, test } from 'vitest';
import type { AlertRule } from '../../contract/site/alert-settings.ts';
import { chooseMessages, isTheTime, nameOnCall } from './choose-messages.ts';
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

describe('an incident of several lines', () => {
  const createPart = (id: string, changedAt: number, endedAt: number | null = null) => ({
    cause: `line/${id}`,
    kind: 'line-down' as const,
    severity: 'high' as const,
    subject: `${id}.example`,
    affected: [],
    detail: INCIDENT.detail,
    since: 0,
    changedAt,
    endedAt,
    hasReturned: false,
  });

  test('waits for lines that may be down, too, for 15 seconds', () => {
    const settings = { channels: CHANNELS, rules: [RULE] };
    const timeline = [{ at: 0, kind: 'opened' as const }];
    const choose = (now: number) =>
      chooseMessages({ ...INCIDENT, timeline }, { settings, isSilenced: false, isUnsettled: true, now })
        .choices;
    expect(choose(14_999)).toEqual([]);
    expect(choose(15_000)).toHaveLength(1);
  });

  test('is told again when it has grown, and no other line has joined for a minute', () => {
    const tell = createTeller({});
    const parts = [createPart('a', 0), createPart('b', 10_000)];
    expect(tell(0, { parts: [createPart('a', 0)] })).toEqual(['night opened']);
    expect(tell(69_999, { parts })).toEqual([]);
    expect(tell(70_000, { parts })).toEqual(['night changed']);
    expect(tell(200_000, { parts })).toEqual([]);
  });

  test('is not told to have grown if hardly anybody gets in', () => {
    const tell = createTeller({});
    const worst = { kind: 'visitors-lost', severity: 'critical' } as const;
    expect(tell(0, { parts: [createPart('a', 0)] })).toEqual(['night opened']);
    expect(tell(1, { ...worst, parts: [createPart('a', 0)] })).toEqual(['night changed']);
    expect(tell(200_000, { ...worst, parts: [createPart('a', 0), createPart('b', 10_000)] })).toEqual([]);
  });

  test('is told to be better when some lines are up again for two minutes, and the others are not', () => {
    const tell = createTeller({});
    expect(tell(0, { parts: [createPart('a', 0), createPart('b', 0)] })).toEqual(['night opened']);
    const parts = [createPart('a', 60_000, 1), createPart('b', 0)];
    expect(tell(179_999, { parts })).toEqual([]);
    expect(tell(180_000, { parts })).toEqual(['night eased']);
  });

  test('is told to be better, and not worse, when the line with the worse kind is up again, and the other is as urgent', () => {
    const tell = createTeller({});
    const [worse, lesser] = [
      { kind: 'line-down', severity: 'medium' },
      { kind: 'line-lost', severity: 'medium' },
    ] as const;
    const lost = { ...createPart('b', 0), ...lesser };
    const before = [{ ...createPart('a', 0), ...worse }, lost];
    expect(tell(0, { ...worse, parts: before })).toEqual(['night opened']);
    const after = {
      ...lesser,
      parts: [{ ...createPart('a', 60_000, 1), ...worse }, lost],
      timeline: [{ at: 60_000, kind: 'eased' as const }],
    };
    expect(tell(60_000, after)).toEqual([]);
    expect(tell(180_000, after)).toEqual(['night eased']);
    expect(tell(400_000, after)).toEqual([]);
  });

  test('that goes on as another one has no end to tell', () => {
    const tell = createTeller({});
    expect(tell(0)).toEqual(['night opened']);
    expect(tell(1, { endedAt: 1, parts: [] })).toEqual([]);
  });

  test('ends for those who were told of a line, although it became another kind', () => {
    const tell = createTeller({ when: ['line-down'] });
    expect(tell(0, { parts: [createPart('a', 0)] })).toEqual(['night opened']);
    const end = { kind: 'visitors-lost', endedAt: 2, parts: [createPart('a', 1, 1)] } as const;
    expect(tell(2, end)).toEqual(['night resolved']);
  });
});

describe('if nobody takes an incident', () => {
  const escalate = [{ afterMinutes: 10, to: ['office'] }];

  test('the next ones are told after their time, and of its end, too', () => {
    const tell = createTeller({ escalate });
    expect(tell(0)).toEqual(['night opened']);
    expect(tell(10 * MINUTE_MS - 1)).toEqual([]);
    expect(tell(10 * MINUTE_MS)).toEqual(['office escalated']);
    expect(tell(11 * MINUTE_MS, { endedAt: 1 })).toEqual(['night resolved', 'office resolved']);
  });

  test('nobody else is told if somebody does', () => {
    const tell = createTeller({ escalate });
    expect(tell(0)).toEqual(['night opened']);
    expect(tell(20 * MINUTE_MS, { takenBy: 'mei' })).toEqual([]);
  });

  test('their time counts from the first message, not from the beginning', () => {
    const tell = createTeller({ escalate, hours: '00:30-08:00 UTC' });
    expect(tell(0)).toEqual([]);
    expect(tell(30 * MINUTE_MS)).toEqual(['night opened']);
    expect(tell(40 * MINUTE_MS)).toEqual(['office escalated']);
  });
});

describe('people on call', () => {
  const onCall = [
    { name: 'mei', to: ['night'], until: '1970-01-01T01:00Z' },
    { name: 'tom', to: ['office'], from: '1970-01-01T02:00Z' },
  ];
  const choose = (now: number, told = {}, endedAt: number | null = null) =>
    chooseMessages(
      { ...INCIDENT, told, endedAt },
      {
        settings: { channels: CHANNELS, rules: [{ ...RULE, to: ['on-call'] }], onCall },
        isSilenced: false,
        now,
      },
    ).choices.map(({ channel, type }) => `${channel} ${type}`);

  test('are told in their time, and all of them if it is nobody’s', () => {
    expect(choose(0)).toEqual(['night opened']);
    expect(choose(90 * MINUTE_MS)).toEqual(['night opened', 'office opened']);
    expect(choose(120 * MINUTE_MS)).toEqual(['office opened']);
    expect(nameOnCall({ onCall }, 0)).toEqual(['mei']);
  });

  test('are told of the end of what they were told of, also after their time', () => {
    const told = { night: { stage: 'line-down high', at: 0, isOver: false } };
    expect(choose(120 * MINUTE_MS, told, 1)).toEqual(['night resolved']);
  });
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
    ['00:00-00:00 UTC', 0, 0, true],
    ['00:00-00:00 UTC', 12, 0, true],
    ['09:00-09:00 UTC', 8, 59, true],
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
