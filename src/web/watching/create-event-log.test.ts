import { describe, expect, test } from 'vitest';
import { createEventLog } from './create-event-log.ts';

describe('createEventLog', () => {
  test('keeps events for the first who listens', () => {
    const log = createEventLog<number>();
    log.add(1);
    const heard: number[] = [];
    log.subscribe((event) => heard.push(event));
    log.add(2);
    expect(heard).toEqual([1, 2]);
  });

  test('tells nobody twice what somebody has heard', () => {
    const log = createEventLog<number>();
    const first: number[] = [];
    const end = log.subscribe((event) => first.push(event));
    log.add(1);
    end();
    log.add(2);
    const second: number[] = [];
    log.subscribe((event) => second.push(event));
    log.add(3);
    expect({ first, second }).toEqual({ first: [1], second: [2, 3] });
  });
});
