import { type LineBoard, createLineBoard } from '../board/create-line-board.ts';
import { type FakeWorld, createFakeWorld } from './create-fake-world.ts';

export const HOSTS = ['a.example', 'b.example', 'c.example', 'd.example'];
const FALLBACK = ['w.example', 'x.example', 'y.example', 'z.example'];

/** A board in a fake world whose portal hands out these hosts. */
export function createBoard(
  hosts: readonly string[] = HOSTS,
  world = createFakeWorld(() => 0.999),
): { readonly world: FakeWorld; readonly board: LineBoard } {
  world.network.portal.set('/api/get_ip', { body: { get_ip: '192.0.2.7', key_id: 'signed' } });
  world.network.portal.set('/api/hostnames', { body: hosts });
  const prober = world.createProber({ askAnybody: world.createQuestion() });
  const settings = { ...world, prober, fallback: FALLBACK, callerService: '' };
  return { world, board: createLineBoard(settings) };
}

/** Sets the delays of lines in ms, by the first label of their hosts. */
export function delayLines(world: FakeWorld, delays: Readonly<Record<string, number>>): void {
  for (const [host, delayMs] of Object.entries(delays))
    world.network.lines.set(`${host}.example`, { delayMs });
}
