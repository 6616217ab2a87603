import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { sessionRecordSchema } from '../../../contract/intake-message.ts';
import type { Vitals } from '../watch-vitals.ts';
import { createSessionRecord } from './create-session-record.ts';

function open() {
  const vitals: Vitals = {};
  let changes = 0;
  const record = createSessionRecord(
    {
      session: 'a'.repeat(32),
      view: 'b'.repeat(32),
      sessionStartedAt: 1_000,
      openedAt: 1_500,
      startedAt: 2_000,
      pageViews: 2,
      page: '/',
      device: 'mobile',
      language: 'zh-CN',
      replay: 'starting',
      vitals,
    },
    () => (changes += 1),
  );
  const takeAll = () => {
    const revisions: string[] = [];
    record.takeRevision(false, (json) => revisions.push(json));
    return revisions;
  };
  const take = () => v.parse(sessionRecordSchema, JSON.parse(takeAll()[0] ?? 'null'));
  return { record, vitals, take, takeAll, changes: () => changes };
}

describe('createSessionRecord', () => {
  test('begins with what is known from the start', () => {
    const { take, takeAll } = open();
    expect(take()).toMatchObject({ revision: 1, pageViews: 2, replay: 'starting', errors: [], vitals: {} });
    expect(takeAll()).toEqual([]);
  });

  test('tells no query of an address', () => {
    const { record, take } = open();
    const where = (query: string) => ({
      at: 3_000,
      message: `no answer of /api/ip${query}`,
      stack: `https://brand.example/${query}:1:2`,
    });
    record.addError(where('?coupon=SECRET#SECRET'));
    expect(take().errors).toEqual([where('')]);
  });

  test('takes everything down, and counts its revisions', () => {
    const { record, vitals, take, changes } = open();
    take();
    record.addError({ at: 3_000, message: 'boom', stack: 'Error: boom\n at x' });
    record.addEnteredLine({ at: 4_000, index: 2, host: 'line2.example', time: 38 });
    vitals.LCP = 900;
    record.setReplay('worker-timeout');
    record.setSegments(1);
    record.countDroppedSegment();
    record.countOversizedEvent();
    record.setSeenLines({ firstRowAt: 2_100, reachedLines: 3, failedLines: 1 });
    expect(changes()).toBe(6);
    expect(take()).toMatchObject({
      revision: 2,
      errors: [{ at: 3_000, message: 'boom', stack: 'Error: boom\n at x' }],
      enteredLines: [{ at: 4_000, index: 2, host: 'line2.example', time: 38 }],
      firstRowAt: 2_100,
      reachedLines: 3,
      failedLines: 1,
      vitals: { LCP: 900 },
      replay: 'worker-timeout',
      segments: 1,
      droppedSegments: 1,
      oversizedEvents: 1,
    });
  });

  test('has a revision left where the browser ended the script that took it', () => {
    const { record, take } = open();
    expect(() =>
      record.takeRevision(false, () => {
        throw new Error('ended');
      }),
    ).toThrow('ended');
    expect(take()).toMatchObject({ pageViews: 2 });
  });

  test('stays small however much goes wrong', () => {
    const { record, takeAll } = open();
    for (let number = 0; number < 100; number += 1) {
      record.addError({ at: number, message: '错'.repeat(1_000), stack: '栈'.repeat(10_000) });
      record.addEnteredLine({
        at: 1_800_000_000_000,
        index: 4,
        host: 'a-line-with-a-long-name.example',
        time: 99_999,
      });
    }
    const [json = ''] = takeAll();
    const { errors, errorsLeftOut, enteredLines } = v.parse(sessionRecordSchema, JSON.parse(json));
    expect(errors.length + errorsLeftOut).toBe(100);
    expect(errors.length).toBeGreaterThan(0);
    expect(enteredLines).toHaveLength(10);
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(5_000);
  });
});
