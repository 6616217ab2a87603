import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LineBoard } from './create-line-board.ts';
import { HOSTS, createBoard, delayLines } from '../testing/create-board.ts';
import type { FakeWorld } from '../testing/create-fake-world.ts';

test('any order of events ends in a legal state, and nothing of an aborted run ever shows', async () => {
  const event = fc.constantFrom(
    'retest',
    'hide',
    'show',
    'wait 40',
    'wait 700',
    'wait 3100',
    'list 1',
    'list 4',
    'list down',
    'list slow',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 14 }), async (events) => {
      const { board, world } = createBoard();
      delayLines(world, { a: 30, b: 600, c: 2_500, w: 90 });
      world.network.lines.set('d.example', { isHanging: true });
      board.start();
      for (const name of events) {
        if (name === 'retest') board.retest();
        else if (name === 'hide' || name === 'show') world.visibility[name]();
        else if (name === 'list 1') world.network.portal.set('/api/hostnames', { body: ['a.example'] });
        else if (name === 'list 4') world.network.portal.set('/api/hostnames', { body: HOSTS });
        else if (name === 'list down') world.network.portal.set('/api/hostnames', { isDown: true });
        else if (name === 'list slow')
          world.network.portal.set('/api/hostnames', { body: HOSTS, delayMs: 4_000 });
        else await world.clock.advance(Number(name.split(' ')[1]));
        expectLegal(board, world);
      }
      world.visibility.show();
      await world.clock.advance(40_000);
      expectLegal(board, world);
      expect(board.getSnapshot().phase).toBe('ready');
      for (const { speed } of board.getSnapshot().rows)
        expect(['measured', 'aboveFiveSeconds']).toContain(speed.key);
      expect(world.network.openRequests()).toBe(0);
      expect(world.clock.openTimers()).toBe(0);
    }),
    { numRuns: 60 },
  );
});

function expectLegal(board: LineBoard, world: FakeWorld): void {
  const { phase, rows } = board.getSnapshot();
  const truth: Readonly<Record<string, number>> = { a: 30, b: 600, c: 2_500, w: 90 };
  expect(rows).toHaveLength(4);
  const hosts = rows.flatMap(({ host }) => host ?? []);
  expect(new Set(hosts).size).toBe(hosts.length);
  expect(rows.filter(({ isFastest }) => isFastest).length).toBeLessThanOrEqual(1);
  for (const { speed, host } of rows) {
    if (speed.key === 'measured') expect(speed.ms).toBe(truth[host?.[0] ?? ''] ?? 1);
    if (speed.key === 'estimate') expect(phase).toBe('ready');
    if (phase === 'loading') expect(['testing', 'measured', 'aboveFiveSeconds']).toContain(speed.key);
  }
  // At most the four probes and one call of the run that is under way.
  expect(world.network.openRequests()).toBeLessThanOrEqual(5);
}
