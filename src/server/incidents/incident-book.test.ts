import { expect, test } from 'vitest';
import { describeMessage } from '../messages/describe-message.ts';
import type { KeptIncident, Outgoing } from '../messages/message.ts';
import { type BookChanges, mergeChanges } from './incident-book.ts';

const NOTHING: BookChanges = { incidents: [], forgotten: [], waiting: [], done: [] };

/** An incident about line a, of which the pager was told, or is about to be. */
function createIncident(id: string, startedAt: number, more: Partial<KeptIncident> = {}): KeptIncident {
  return {
    id,
    cause: 'line/a',
    kind: 'line-down',
    severity: 'high',
    subject: 'a.example',
    affected: [],
    detail: { kind: 'line-faults', faults: [{ kind: 'timeout' }] },
    visitors: startedAt,
    startedAt,
    endedAt: null,
    takenBy: null,
    timeline: [{ at: startedAt, kind: 'opened' }],
    told: { pager: { stage: 'line-down high', at: startedAt, isOver: false } },
    messages: 1,
    ...more,
  };
}

function createOutgoing(incident: KeptIncident, channel = 'pager'): Outgoing {
  const options = { id: `${incident.id}-1`, type: 'opened', site: 'Lumo', language: 'en', now: 0 } as const;
  return { channel, message: describeMessage(incident, options), tries: 0, nextAt: 0 };
}

/** Hands over what a portal has done alone. */
function handOver(ours: Partial<BookChanges>, ...theirs: readonly KeptIncident[]): BookChanges {
  return mergeChanges({ ...NOTHING, ...ours }, theirs, { at: 9, areOursLeading: false });
}

test('what nobody else has changed is written as it is', () => {
  const ours = { ...NOTHING, incidents: [createIncident('one', 1)], done: ['one-1'], forgotten: ['old'] };
  expect(handOver(ours)).toEqual(ours);
  const other = createIncident('two', 1, { cause: 'line/b' });
  expect(handOver(ours, other)).toEqual(ours);
});

test.each([
  ['newer', 2, 1],
  ['older', 1, 2],
])(
  'two portals have opened an incident with the same cause: the older one stays, and the other ends without a message: ours is the %s one',
  (_which, ourStart, theirStart) => {
    const ours = createIncident('ours', ourStart, {
      told: { chat: { stage: 'line-down high', at: ourStart, isOver: false } },
    });
    const theirs = createIncident('theirs', theirStart);
    const { incidents } = handOver({ incidents: [ours] }, theirs);
    const byStart = incidents.toSorted((a, b) => a.startedAt - b.startedAt);
    const [older, newer] = ourStart < theirStart ? [ours, theirs] : [theirs, ours];
    expect(byStart).toMatchObject([
      { id: older.id, endedAt: null },
      { id: newer.id, endedAt: 9, timeline: [{ kind: 'opened' }, { at: 9, kind: 'closed' }] },
    ]);
    // The older one knows whom both have told, and nobody is told of the end of the newer one.
    expect(Object.keys(byStart[0]?.told ?? {}).toSorted()).toEqual(['chat', 'pager']);
    expect(Object.values(byStart[1]?.told ?? {}).map(({ isOver }) => isOver)).toEqual([true]);
  },
);

test('what waits to be said of both incidents is said once, and whom only the newer one tells is still told', () => {
  const ours = createIncident('ours', 2);
  const waiting = [createOutgoing(ours), createOutgoing(ours, 'chat')];
  const merged = handOver({ incidents: [ours], waiting }, createIncident('theirs', 1));
  expect(merged.waiting.map(({ channel }) => channel)).toEqual(['chat']);
});

test('two views of one incident become one: who has taken it, whom both have told, and what happened', () => {
  const opened = { at: 1, kind: 'opened' } as const;
  const ours = createIncident('one', 1, {
    timeline: [opened, { at: 3, kind: 'told', by: 'pager' }, { at: 6, kind: 'closed' }],
    endedAt: 6,
    told: { pager: { stage: 'line-down high', at: 1, isOver: true } },
    messages: 3,
  });
  const theirs = createIncident('one', 1, {
    timeline: [
      { at: 2, kind: 'opened' },
      { at: 4, kind: 'taken', by: 'mei' },
      { at: 5, kind: 'told', by: 'chat' },
    ],
    takenBy: 'mei',
    told: {
      pager: { stage: 'line-down high', at: 1, isOver: false },
      chat: { stage: 'line-down high', at: 5, isOver: false },
    },
    visitors: 8,
  });
  const common = { id: 'one', takenBy: 'mei', visitors: 8, messages: 3 };
  const told = { pager: { isOver: true }, chat: { at: 5, isOver: false } };
  // The state is that of the portal that leads.
  expect(handOver({ incidents: [ours] }, theirs).incidents).toMatchObject([
    { ...common, told, endedAt: null },
  ]);
  const { incidents } = mergeChanges({ ...NOTHING, incidents: [ours] }, [theirs], {
    at: 9,
    areOursLeading: true,
  });
  expect(incidents).toMatchObject([{ ...common, told, endedAt: 6 }]);
  expect(incidents[0]?.timeline.map(({ at, kind }) => `${at} ${kind}`)).toEqual([
    '1 opened',
    '3 told',
    '4 taken',
    '5 told',
    '6 closed',
  ]);
});
