import type { CellPlace } from './read-cell.ts';

const STEPS: Readonly<Record<string, CellPlace>> = {
  ArrowUp: { network: -1, line: 0 },
  ArrowDown: { network: 1, line: 0 },
  ArrowLeft: { network: 0, line: -1 },
  ArrowRight: { network: 0, line: 1 },
  PageUp: { network: -10, line: 0 },
  PageDown: { network: 10, line: 0 },
  Home: { network: 0, line: -Infinity },
  End: { network: 0, line: Infinity },
};

/** Where a key leads in a map of this size; undefined where it leads nowhere. */
export function movePlace(
  key: string,
  { network, line }: CellPlace,
  size: { readonly networks: number; readonly lines: number },
): CellPlace | undefined {
  const step = STEPS[key];
  if (step === undefined) return undefined;
  return {
    network: clamp(network + step.network, size.networks),
    line: clamp(line + step.line, size.lines),
  };
}

function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}
