import { Counter, type Registry } from 'prom-client';

export type TalliedCounterOptions = {
  readonly name: string;
  readonly help: string;
  readonly labelName: string;
};

/**
 * Adds a counter with one label, and returns the way to count. It adds up in place and is written out when somebody reads
 * it: the library's own takes longer to find its label than a line takes to be drawn.
 */
export function addTalliedCounter(
  registry: Registry,
  { name, help, labelName }: TalliedCounterOptions,
): (label: string) => void {
  const counts = new Map<string, number>();
  const counter = new Counter({
    name,
    help,
    labelNames: [labelName],
    registers: [],
    collect() {
      this.reset();
      for (const [label, count] of counts) this.labels(label).inc(count);
    },
  });
  registry.registerMetric(counter);
  return (label) => {
    counts.set(label, (counts.get(label) ?? 0) + 1);
  };
}
