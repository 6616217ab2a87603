type Rgb = readonly [number, number, number];

/** The colours of pages whose site folder sets none. Texts on a light background have another: see `defaultTextOn`. */
export const DEFAULT_COLOURS = { accent: '#e0b34c', background: '#0a0f1a', text: '#f3f6fb' };

/** The contrast to the background that a colour needs, by WCAG 2.2, level AA: as small text, and as a shape such as a button. */
export const MIN_CONTRAST = { text: 4.5, accent: 3 } as const;

export const COLOUR = /^#[\dA-Fa-f]{6}$/;

const WHITE = '#ffffff';
const BLACK = '#000000';

/** Mixes a share (0 to 1) of one colour into another. Colours are `#rrggbb`. */
export function mix(base: string, other: string, share: number): string {
  const [from, to] = [parse(base), parse(other)];
  const mixed = from.map((channel, index) => Math.round(channel + ((to[index] ?? 0) - channel) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** The contrast ratio of two colours, from 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

export function isDark(colour: string): boolean {
  return contrast(colour, WHITE) > contrast(colour, BLACK);
}

/** The colour of texts on a background, where the site folder sets none. */
export function defaultTextOn(background: string): string {
  return isDark(background) ? DEFAULT_COLOURS.text : DEFAULT_COLOURS.background;
}

/** Moves a colour towards white or black until it can be read on a background. */
export function makeReadable(colour: string, ground: string, ratio: number): string {
  const goal = isDark(ground) ? WHITE : BLACK;
  for (let share = 0; share < 1; share += 0.05) {
    const moved = mix(colour, goal, share);
    if (contrast(moved, ground) >= ratio) return moved;
  }
  return goal;
}

/** How different two colours look, from 0 to 1: their distance in OKLab, https://bottosson.github.io/posts/oklab/ */
export function difference(one: string, other: string): number {
  const [from, to] = [toOklab(one), toOklab(other)];
  return Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]);
}

function toOklab(colour: string): readonly [lightness: number, a: number, b: number] {
  const [red, green, blue] = linearize(colour);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}

function luminance(colour: string): number {
  const [red, green, blue] = linearize(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The channels as amounts of light, from 0 to 1. */
function linearize(colour: string): Rgb {
  const [red, green, blue] = parse(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return [red, green, blue];
}

function parse(colour: string): Rgb {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return [red, green, blue];
}
