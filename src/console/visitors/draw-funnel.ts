/** A bar takes 60 % of the width of its step. The rest leads to the next bar. */
const BAR_PART = 0.6;
const SIZE = 100;

const NICE = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8];

/** The number at the top of an axis: one of `NICE`, times a power of ten. */
export function findNiceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return power * (NICE.find((nice) => nice * power >= most) ?? 10);
}

/** The numbers beside an axis, from its top. Half of its height has one if that is a whole number. */
export function listTicks(top: number): readonly number[] {
  return [top, top / 2, 0].filter(Number.isInteger);
}

/** Draws a bar for each step, in a picture of 100 × 100. Heights are from 0 to 1. */
export function drawBars(heights: readonly number[]): string {
  return heights
    .map((height, step) => {
      const { left, right } = placeBar(step, heights.length);
      return `M${left} ${SIZE}V${y(height)}H${right}V${SIZE}Z`;
    })
    .join('');
}

/** Draws what flows from each step to the next one: it falls by what is lost. */
export function drawFlows(heights: readonly number[]): string {
  return heights
    .slice(1)
    .map((height, step) => {
      const [{ right }, { left }] = [placeBar(step, heights.length), placeBar(step + 1, heights.length)];
      return `M${right} ${SIZE}V${y(heights[step] ?? 0)}L${left} ${y(height)}V${SIZE}Z`;
    })
    .join('');
}

/** Draws the upper edge of bars and flows as one line. */
export function drawOutline(heights: readonly number[]): string {
  if (heights.every((height) => height === 0)) return '';
  const edge = heights.map((height, step) => {
    const { left, right } = placeBar(step, heights.length);
    return `${step === 0 ? `M${left} ${SIZE}V` : `L${left} `}${y(height)}H${right}`;
  });
  return `${edge.join('')}V${SIZE}`;
}

function placeBar(step: number, steps: number): { readonly left: number; readonly right: number } {
  const width = SIZE / steps;
  const margin = (width * (1 - BAR_PART)) / 2;
  return { left: round(step * width + margin), right: round((step + 1) * width - margin) };
}

function y(height: number): number {
  return round(SIZE * (1 - Math.min(1, height)));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
