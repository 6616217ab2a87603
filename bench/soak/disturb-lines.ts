import type { LineBehaviour } from '../../src/line/line-behaviour.ts';
import type { LineHosts } from '../../src/line/start-line-hosts.ts';

const BEHAVIOURS: readonly LineBehaviour[] = [
  {},
  { delayMs: 40 },
  { delayMs: 900 },
  { fault: 'refuse' },
  { fault: 'hang' },
  { fault: 'wrong-marker' },
  { fault: 'error' },
  { fault: 'reset-head' },
];

/** Makes one of the lines behave in another way, well or badly, by chance. The soak calls it again and again. */
export function disturbLines(lines: LineHosts, hosts: readonly string[], random: () => number): () => void {
  const draw = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  return () => {
    const host = draw(hosts);
    if (host !== undefined) lines.set(host, draw(BEHAVIOURS) ?? {});
  };
}
