import { describe, expect, test } from 'vitest';
import type { LineBoard } from './create-line-board.ts';
import type { Row } from './describe-rows.ts';
import { HOSTS, createBoard, delayLines } from '../testing/create-board.ts';
import { createFakeWorld } from '../testing/create-fake-world.ts';
import { createRandom } from '../testing/create-random.ts';

const inWords = ({ host, isBackup, speed, cause }: Row) =>
  [host?.[0] ?? '-', isBackup ? 'backup' : '', speed.key, 'ms' in speed ? speed.ms : '', cause ?? '']
    .filter(Boolean)
    .join(' ');
const rowsOf = (board: LineBoard) => board.getSnapshot().rows.map(inWords);

describe('the line board', () => {
  test('sends nothing before it is started', async () => {
    const { board, world } = createBoard();
    await world.clock.advance(1_000);
    expect(world.network.requests).toEqual([]);
    expect(rowsOf(board)).toEqual(Array.from({ length: 4 }, () => '- testing'));
  });

  test('asks for the caller, then the hostnames, then measures; results arrive one by one', async () => {
    const { board, world } = createBoard();
    delayLines(world, { a: 300, b: 100, c: 200, d: 400 });
    board.start();
    await world.clock.advance(0);
    expect(world.network.requests.slice(0, 2).map(({ url }) => url)).toEqual([
      '/api/get_ip',
      '/api/hostnames',
    ]);
    expect(rowsOf(board)).toEqual(['a testing', 'b testing', 'c testing', 'd testing']);
    await world.clock.advance(100);
    expect(rowsOf(board)).toEqual(['a testing', 'b measured 100', 'c testing', 'd testing']);
    await world.clock.advance(300);
    expect(rowsOf(board)).toEqual(['a measured 300', 'b measured 100', 'c measured 200', 'd measured 400']);
    expect(board.getSnapshot().rows.map(({ isFastest }) => isFastest)).toEqual([false, true, false, false]);
  });

  test('draws by lot which line stands in which row', async () => {
    const firsts = new Set<string>();
    for (let seed = 1; seed <= 30; seed += 1) {
      const { board, world } = createBoard(HOSTS, createFakeWorld(createRandom(seed)));
      board.start();
      await world.clock.advance(0);
      firsts.add(board.getSnapshot().rows[0]?.host ?? '');
    }
    expect(firsts).toEqual(new Set(HOSTS));
  });

  test('shows the backups, and no error, to a visitor whose address has hit a limit', async () => {
    const { board, world } = createBoard();
    const limited = { status: 429, body: { error: { code: 'rate-limited' } } };
    for (const path of ['/api/get_ip', '/api/hostnames']) world.network.portal.set(path, limited);
    board.start();
    await world.clock.advance(1_600);
    expect(board.getSnapshot().phase).toBe('ready');
    expect(rowsOf(board)).toEqual(
      ['w backup', 'x backup', 'y backup', 'z backup'].map((row) =>
        expect.stringMatching(`^${row} measured`),
      ),
    );
  });

  test('is loading until 1.5 s after the hostname call has finished', async () => {
    const { board, world } = createBoard();
    world.network.portal.set('/api/hostnames', { body: HOSTS, delayMs: 700 });
    board.start();
    await world.clock.advance(700 + 1_499);
    expect(board.getSnapshot().phase).toBe('loading');
    await world.clock.advance(1);
    expect(board.getSnapshot().phase).toBe('ready');
  });

  test.each([
    [[], ['w backup', 'x backup', 'y backup', 'z backup']],
    [['a.example'], ['a', 'w backup', 'x backup', 'y backup']],
    [
      ['a.example', 'b.example', 'c.example'],
      ['a', 'b', 'c', 'w backup'],
    ],
  ])('fills the rows that %j leaves with measured backups', async (hosts, expected) => {
    const { board, world } = createBoard(hosts);
    board.start();
    await world.clock.advance(10);
    expect(rowsOf(board)).toEqual(expected.map((row) => `${row} measured 1`));
  });

  test('shows the fallback hosts when the hostname call fails', async () => {
    const { board, world } = createBoard();
    world.network.portal.set('/api/hostnames', { isDown: true });
    board.start();
    await world.clock.advance(10);
    expect(rowsOf(board)[0]).toBe('w backup measured 1');
  });

  test('shows the fallback hosts after 3 s without a list; a late list replaces them', async () => {
    const { board, world } = createBoard(['a.example', 'b.example']);
    world.network.portal.set('/api/hostnames', { body: ['a.example', 'b.example'], delayMs: 8_000 });
    board.start();
    await world.clock.advance(2_999);
    expect(rowsOf(board)[0]).toBe('- testing');
    await world.clock.advance(10);
    expect(rowsOf(board)).toEqual(['w', 'x', 'y', 'z'].map((host) => `${host} backup measured 1`));
    await world.clock.advance(5_000);
    expect(rowsOf(board)).toEqual([
      'a measured 1',
      'b measured 1',
      'y backup measured 1',
      'z backup measured 1',
    ]);
    expect(world.network.sent('y.example')).toHaveLength(1);
  });

  test('does not send a probe again for a row that stays when a late list comes', async () => {
    const { board, world } = createBoard(['a.example']);
    world.network.portal.set('/api/hostnames', { body: ['a.example'], delayMs: 4_000 });
    delayLines(world, { x: 2_000 });
    board.start();
    await world.clock.advance(6_000);
    expect(rowsOf(board)[1]).toBe('x backup measured 2000');
    expect(world.network.sent('x.example')).toHaveLength(1);
  });

  test('says "above 5 seconds" of a failed row, with its cause', async () => {
    const { board, world } = createBoard();
    world.network.lines.set('a.example', { isDown: true });
    world.network.lines.set('b.example', { headers: { server: 'other' } });
    world.network.lines.set('c.example', { isHanging: true });
    board.start();
    await world.clock.advance(5_001);
    expect(rowsOf(board)).toEqual([
      'a aboveFiveSeconds unreachable',
      'b aboveFiveSeconds wrong-server',
      'c aboveFiveSeconds timeout',
      'd measured 1',
    ]);
  });

  describe('where somebody else answers', () => {
    /** Whether the row leads somewhere: `-`, or `?` while that is in doubt. */
    const signOf = (board: LineBoard, index = 0) => {
      const { address, isInDoubt, cause } = board.getSnapshot().rows[index] ?? {};
      return isInDoubt ? '?' : cause === 'wrong-server' ? '!' : address ? '-' : '';
    };

    test('the row leads nowhere from the failure of its probe until that is known', async () => {
      const { board, world } = createBoard();
      world.network.lines.set('a.example', { isUnreadable: true, delayMs: 2_000 });
      world.network.lines.set('b.example', { isDown: true, delayMs: 2_000 });
      board.start();
      await world.clock.advance(1_999);
      expect([signOf(board, 0), signOf(board, 1)]).toEqual(['-', '-']);
      await world.clock.advance(1);
      expect([signOf(board, 0), signOf(board, 1)]).toEqual(['?', '?']);
      expect(rowsOf(board).slice(0, 2)).toEqual(['a estimate 2000', 'b estimate 2000']);
      await world.clock.advance(2_050);
      expect([signOf(board, 0), signOf(board, 1)]).toEqual(['!', '-']);
      expect(rowsOf(board).slice(0, 2)).toEqual([
        'a aboveFiveSeconds wrong-server',
        'b aboveFiveSeconds unreachable',
      ]);
    });

    test('a retest does not lead there either, until it knows better', async () => {
      const { board, world } = createBoard();
      world.network.lines.set('a.example', { isUnreadable: true });
      board.start();
      await world.clock.advance(1_600);
      expect(signOf(board)).toBe('!');
      world.network.lines.set('a.example', { delayMs: 100 });
      board.retest();
      expect(signOf(board)).toBe('?');
      board.retest();
      await world.clock.advance(99);
      expect([signOf(board), signOf(board, 1)]).toEqual(['?', '-']);
      await world.clock.advance(1);
      expect(signOf(board)).toBe('-');
    });

    test('a page that is hidden meanwhile measures the row again, and leads nowhere until then', async () => {
      const { board, world } = createBoard();
      world.network.lines.set('a.example', { isUnreadable: true, delayMs: 100 });
      board.start();
      await world.clock.advance(150);
      world.visibility.hide();
      await world.clock.advance(1_000);
      expect([rowsOf(board)[0], signOf(board)]).toEqual(['a testing', '?']);
      expect(world.network.sent('a.example').map(({ state }) => state)).toEqual(['failed', 'aborted']);
      world.visibility.show();
      await world.clock.advance(200);
      expect(signOf(board)).toBe('!');
    });
  });

  test('after loading, a row without a result shows the ms that have really gone by', async () => {
    const { board, world } = createBoard();
    delayLines(world, { a: 3_000 });
    board.start();
    await world.clock.advance(1_499);
    expect(rowsOf(board)[0]).toBe('a testing');
    await world.clock.advance(1);
    expect(rowsOf(board)[0]).toBe('a estimate 1500');
    await world.clock.advance(1_000);
    expect(rowsOf(board)[0]).toBe('a estimate 2500');
    await world.clock.advance(500);
    expect(rowsOf(board)[0]).toBe('a measured 3000');
    expect(world.clock.openTimers()).toBe(0);
  });

  test('throws away what was measured while hidden, and measures again when seen', async () => {
    const { board, world } = createBoard();
    delayLines(world, { a: 50, b: 200 });
    board.start();
    await world.clock.advance(100);
    world.visibility.hide();
    await world.clock.advance(2_000);
    expect(rowsOf(board)[0]).toBe('a measured 50');
    expect(rowsOf(board)[1]).toBe('b estimate 2100');
    expect(world.network.openRequests()).toBe(0);
    world.visibility.show();
    await world.clock.advance(200);
    expect(rowsOf(board)[1]).toBe('b measured 200');
    expect(world.network.sent('a.example')).toHaveLength(1);
    expect(world.network.sent('b.example')).toHaveLength(2);
  });

  test('says "above 20 seconds" of a row that was never seen long enough', async () => {
    const { board, world } = createBoard();
    delayLines(world, { a: 200 });
    board.start();
    await world.clock.advance(100);
    world.visibility.hide();
    await world.clock.advance(19_800);
    expect(rowsOf(board)[0]).toBe('a estimate 19900');
    await world.clock.advance(100);
    expect(rowsOf(board)[0]).toBe('a aboveTwentySeconds');
    expect(world.clock.openTimers()).toBe(0);
  });

  test('invents no number for a page that was never seen', async () => {
    const { board, world } = createBoard();
    world.visibility.hide();
    board.start();
    await world.clock.advance(30_000);
    expect(board.getSnapshot().phase).toBe('ready');
    expect(rowsOf(board)).toEqual(['a testing', 'b testing', 'c testing', 'd testing']);
    world.visibility.show();
    await world.clock.advance(10);
    expect(rowsOf(board)[0]).toBe('a measured 1');
  });

  test('uses results of the last 10 seconds, from the page before too', async () => {
    const first = createBoard();
    first.board.start();
    await first.world.clock.advance(5_000);
    const { board, world } = createBoard(HOSTS, first.world);
    board.start();
    await world.clock.advance(10);
    expect(rowsOf(board)).toEqual(['a measured 1', 'b measured 1', 'c measured 1', 'd measured 1']);
    expect(world.network.sent('/speed.php')).toHaveLength(4);
  });

  test('retest clears the results and starts over; hosts keep their rows and addresses meanwhile', async () => {
    const { board, world } = createBoard();
    board.start();
    await world.clock.advance(2_000);
    const before = board.getSnapshot().rows.map(({ address }) => address);
    world.network.portal.set('/api/hostnames', { body: [...HOSTS].toReversed(), delayMs: 100 });
    board.retest();
    expect(board.getSnapshot().phase).toBe('loading');
    expect(rowsOf(board)).toEqual(['a testing', 'b testing', 'c testing', 'd testing']);
    expect(board.getSnapshot().rows.map(({ address }) => address)).toEqual(before);
    await world.clock.advance(150);
    expect(rowsOf(board)).toEqual(['a measured 1', 'b measured 1', 'c measured 1', 'd measured 1']);
    expect(board.getSnapshot().rows.map(({ address }) => address)).toEqual(before);
    expect(world.network.sent('/api/hostnames')).toHaveLength(2);
    expect(world.network.sent('/speed.php')).toHaveLength(8);
  });

  test('hosts find their rows again in a list that comes so late that backups stepped in', async () => {
    const { board, world } = createBoard();
    board.start();
    await world.clock.advance(2_000);
    const before = board.getSnapshot().rows.map(({ address }) => address);
    world.network.portal.set('/api/hostnames', {
      body: ['e.example', 'c.example', 'a.example'],
      delayMs: 4_000,
    });
    board.retest();
    await world.clock.advance(3_500);
    expect(rowsOf(board)).toEqual(['w', 'x', 'y', 'z'].map((host) => `${host} backup measured 1`));
    await world.clock.advance(1_000);
    expect(rowsOf(board)).toEqual(['a measured 1', 'e measured 1', 'c measured 1', 'z backup measured 1']);
    expect(board.getSnapshot().rows[0]?.address).toBe(before[0]);
  });

  test('retested twice quickly, it makes one run: the first is aborted, its late answers are dropped', async () => {
    const { board, world } = createBoard();
    delayLines(world, { a: 100, b: 100, c: 100, d: 100 });
    board.start();
    await world.clock.advance(50);
    board.retest();
    board.retest();
    await world.clock.advance(60);
    expect(rowsOf(board)).toEqual(['a testing', 'b testing', 'c testing', 'd testing']);
    await world.clock.advance(40);
    expect(rowsOf(board)).toEqual(['a', 'b', 'c', 'd'].map((host) => `${host} measured 100`));
    expect(world.network.sent('/speed.php').map(({ state }) => state)).toEqual([
      ...HOSTS.map(() => 'aborted'),
      ...HOSTS.map(() => 'answered'),
    ]);
  });

  const CLOSINGS = [
    ['restricted', { status: 451, body: {} }],
    ['maintenance', { status: 503, headers: { 'Waypost-Closed': 'maintenance' }, body: {} }],
  ] as const;

  test.each(CLOSINGS)(
    'has no rows where the portal refuses (%s), and no fallback either',
    async (phase, answer) => {
      const { board, world } = createBoard();
      world.network.portal.set('/api/hostnames', answer);
      board.start();
      await world.clock.advance(10_000);
      expect(board.getSnapshot()).toEqual({ phase, rows: [] });
      expect(world.network.sent('/speed.php')).toEqual([]);
    },
  );

  test.each(CLOSINGS)(
    'a late refusal (%s) takes the fallback hosts away, and nothing brings them back',
    async (phase, answer) => {
      const { board, world } = createBoard();
      delayLines(world, { w: 2_000, x: 2_000, y: 2_000, z: 2_000 });
      world.network.portal.set('/api/hostnames', { ...answer, delayMs: 4_000 });
      board.start();
      await world.clock.advance(3_900);
      expect(rowsOf(board)[0]).toBe('w backup testing');
      await world.clock.advance(100);
      expect(board.getSnapshot()).toEqual({ phase, rows: [] });
      expect(world.network.sent('/speed.php').map(({ state }) => state)).toEqual(HOSTS.map(() => 'aborted'));
      board.retest();
      world.visibility.hide();
      world.visibility.show();
      await world.clock.advance(10_000);
      expect(board.getSnapshot()).toEqual({ phase, rows: [] });
      expect(world.network.sent('/api/hostnames')).toHaveLength(1);
      expect(world.network.sent('/speed.php')).toHaveLength(4);
    },
  );

  test('hidden and seen during a retest, it does not measure the hosts of the run before', async () => {
    const { board, world } = createBoard();
    board.start();
    await world.clock.advance(2_000);
    world.network.portal.set('/api/hostnames', { body: ['e.example'], delayMs: 1_000 });
    board.retest();
    await world.clock.advance(500);
    world.visibility.hide();
    world.visibility.show();
    await world.clock.advance(400);
    expect(world.network.sent('/speed.php')).toHaveLength(4);
    await world.clock.advance(200);
    expect(rowsOf(board)[0]).toBe('e measured 1');
    expect(world.network.sent('a.example')).toHaveLength(1);
  });

  test('has four different rows, however a host is written, and no backup twice', async () => {
    const { board, world } = createBoard(['A.example', 'a.example', 'https://a.example', 'X.example']);
    board.start();
    await world.clock.advance(10);
    expect(rowsOf(board)).toEqual([
      'a measured 1',
      'x measured 1',
      'w backup measured 1',
      'y backup measured 1',
    ]);
  });

  test('gives the same snapshot until something changes, and keeps unchanged rows', async () => {
    const { board, world } = createBoard();
    delayLines(world, { a: 100, b: 200, c: 200, d: 200 });
    board.start();
    await world.clock.advance(10);
    const before = board.getSnapshot();
    await world.clock.advance(10);
    expect(board.getSnapshot()).toBe(before);
    await world.clock.advance(80);
    const after = board.getSnapshot();
    expect(after).not.toBe(before);
    expect(after.rows[1]).toBe(before.rows[1]);
  });

  test('tells subscribers of every change until they leave', async () => {
    const { board, world } = createBoard();
    let told = 0;
    const leave = board.subscribe(() => (told += 1));
    board.start();
    await world.clock.advance(10);
    expect(told).toBeGreaterThan(0);
    leave();
    const before = told;
    board.retest();
    await world.clock.advance(10);
    expect(told).toBe(before);
  });
});
