import { describe, expect, test } from 'vitest';
import { RESULTS_KEY } from '../../contract/page/storage-keys.ts';
import { createResultCache } from './create-result-cache.ts';
import { createFakeClock } from '../testing/create-fake-clock.ts';
import { createMemoryStore } from '../testing/create-fake-world.ts';

const address = 'https://line1.example:9900';
const result = { host: 'line1.example', time: 38 };

describe('createResultCache', () => {
  test('keeps a result with its address for 10 s and no longer', async () => {
    const clock = createFakeClock();
    const cache = createResultCache({ now: clock.now, store: createMemoryStore() });
    cache.put(address, result);
    await clock.advance(9_999);
    expect(cache.get('line1.example')).toMatchObject({ ...result, address });
    await clock.advance(1);
    expect(cache.get('line1.example')).toBeUndefined();
  });

  test('keeps a failure like any other result', () => {
    const cache = createResultCache({ now: () => 0, store: createMemoryStore() });
    cache.put(address, { host: 'line1.example', time: 99_999, cause: 'timeout' });
    expect(cache.get('line1.example')).toMatchObject({ time: 99_999, cause: 'timeout' });
  });

  test('outlives the page, because the store does', () => {
    const store = createMemoryStore();
    createResultCache({ now: () => 1, store }).put(address, result);
    expect(createResultCache({ now: () => 2, store }).get('line1.example')).toMatchObject(result);
  });

  test('replaces a host’s older result and keeps the others’', () => {
    const cache = createResultCache({ now: () => 0, store: createMemoryStore() });
    cache.put(address, result);
    cache.put('https://line2.example', { host: 'line2.example', time: 7 });
    cache.put(address, { ...result, time: 50 });
    expect(cache.get('line1.example')?.time).toBe(50);
    expect(cache.get('line2.example')?.time).toBe(7);
  });

  test('forgets everything when cleared', () => {
    const cache = createResultCache({ now: () => 0, store: createMemoryStore() });
    cache.put(address, result);
    cache.clear();
    expect(cache.get('line1.example')).toBeUndefined();
  });

  test.each([
    '',
    '{',
    'null',
    '{}',
    '"x"',
    '[null]',
    '[1]',
    '[{}]',
    '[{"host":"line1.example","at":0}]',
    '[{"host":"line1.example","at":0,"time":5,"address":"javascript:alert(1)"}]',
  ])('takes the store’s %j for nothing', (stored) => {
    const store = createMemoryStore();
    store.set(RESULTS_KEY, stored);
    const cache = createResultCache({ now: () => 0, store });
    expect(cache.get('line1.example')).toBeUndefined();
    cache.put(address, result);
    expect(cache.get('line1.example')).toMatchObject(result);
  });

  test('takes a result from the future for none', () => {
    const store = createMemoryStore();
    createResultCache({ now: () => 1_000, store }).put(address, result);
    expect(createResultCache({ now: () => 999, store }).get('line1.example')).toBeUndefined();
  });
});
