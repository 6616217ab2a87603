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

  test('keeps the first 99 if nobody listens, so that a page that fails in a loop does not fill the memory', () => {
    const log = createEventLog<number>();
    for (let event = 1; event <= 1_000; event += 1) log.add(event);
    const heard: number[] = [];
    log.subscribe((event) => heard.push(event));
    expect([heard.length, heard.at(-1)]).toEqual([99, 99]);
  });
});
