import { expect, test } from 'vitest';
import { describeMessage } from '../messages/describe-message.ts';
import type { KeptIncident, Outgoing } from '../messages/message.ts';
import { EMPTY_BOOK, decodeBook, encodeBook, mergeBooks } from './incident-book.ts';

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
    timeline: [],
    told: { pager: { stage: 'line-down high', at: startedAt, isOver: false } },
    messages: 1,
    ...more,
  };
}

function createOutgoing(incident: KeptIncident, channel = 'pager'): Outgoing {
  const options = { id: `${incident.id}-1`, type: 'opened', site: 'Lumo', language: 'en', now: 0 } as const;
  return { channel, message: describeMessage(incident, options), tries: 0, nextAt: 0 };
}

test('a book is read as it was written, and anything else is refused', () => {
  const incident = createIncident('one', 5);
  const book = { incidents: [incident], outbox: [createOutgoing(incident)] };
  expect(decodeBook(encodeBook(book))).toEqual(book);
  expect(() => decodeBook('{"format":2,"incidents":[],"outbox":[]}')).toThrow('Invalid type');
});

test('what an older version wrote, with sentences for details, is read with the same words', () => {
  const detail = 'refused the connection';
  const condition = { kind: 'line-down', severity: 'high', detail };
  const timeline = [
    { at: 5, kind: 'opened', condition },
    { at: 6, kind: 'told', by: 'pager' },
  ];
  const incident = { ...createIncident('one', 5), detail, timeline };
  const read = decodeBook(JSON.stringify({ format: 1, incidents: [incident], outbox: [] }));
  const text = { kind: 'text', text: 'refused the connection' };
  expect(read.incidents).toEqual([
    {
      ...incident,
      detail: text,
      timeline: [{ ...timeline[0], condition: { ...condition, detail: text } }, timeline[1]],
    },
  ]);
});

test.each([
  { kind: 'line-faults' },
  { kind: 'line-faults', faults: [null] },
  { kind: 'certificate-ends', at: 'soon' },
  { kind: 'visitors-stranded', percent: '7' },
  { kind: 'regions-unknown' },
  { kind: 'site-fault' },
])('a detail that cannot be said is read as the name of its kind: %j', (detail) => {
  const timeline = [{ at: 5, kind: 'opened', condition: { detail } }];
  const incident = { ...createIncident('one', 5), detail, timeline };
  const { incidents } = decodeBook(JSON.stringify({ format: 1, incidents: [incident], outbox: [] }));
  const text = { kind: 'text', text: detail.kind };
  expect(incidents).toMatchObject([{ detail: text, timeline: [{ condition: { detail: text } }] }]);
});

test('a detail of a kind that only a newer portal knows is kept as it is', () => {
  const detail = { kind: 'moon', phase: 'full' };
  const incident = { ...createIncident('one', 5), detail };
  const { incidents } = decodeBook(JSON.stringify({ format: 1, incidents: [incident], outbox: [] }));
  expect(incidents[0]?.detail).toEqual(detail);
});

test('two portals that were alone have seen the same: the older incident stays, and what waits of both is sent once', () => {
  const [older, newer] = [createIncident('older', 1), createIncident('newer', 2)];
  const merged = mergeBooks(
    { incidents: [newer], outbox: [createOutgoing(newer)] },
    { incidents: [older], outbox: [createOutgoing(older)] },
  );
  expect(merged.incidents).toEqual([{ ...older, visitors: 2 }]);
  expect(merged.outbox.map(({ message }) => message.id)).toEqual(['older-1']);
});

test('whom only the newer incident tells is still told, and counts as told', () => {
  const chat = { chat: { stage: 'line-down high', at: 2, isOver: false } };
  const [older, newer] = [createIncident('older', 1), createIncident('newer', 2, { told: chat })];
  const merged = mergeBooks(
    { incidents: [older], outbox: [] },
    { incidents: [newer], outbox: [createOutgoing(newer, 'chat')] },
  );
  expect(Object.keys(merged.incidents[0]?.told ?? {}).toSorted()).toEqual(['chat', 'pager']);
  expect(merged.outbox.map(({ message }) => message.id)).toEqual(['newer-1']);
});

test('the same incident in both books is kept as far as it has gone, and its message waits once', () => {
  const incident = createIncident('one', 1);
  const outbox = [createOutgoing(incident)];
  const ended = { ...incident, endedAt: 9, timeline: [{ at: 9, kind: 'closed' as const }] };
  const merged = mergeBooks({ incidents: [incident], outbox }, { incidents: [ended], outbox });
  expect(merged).toEqual({ incidents: [ended], outbox });
  expect(mergeBooks(EMPTY_BOOK, merged)).toEqual(merged);
});
