/**
 * Random numbers that depend only on the visitor and on what they try. So two simulations with the same visitors can be
 * compared: a visitor has the same luck in both, whatever else happens.
 */
export type Luck = {
  /** From 0 to 1. */
  readonly draw: (what: number) => number;
  /** From a normal distribution. */
  readonly gauss: (what: number) => number;
};

const GAUSS = 1 << 20;

export function createLuck(seed: number, visitor: number): Luck {
  const own = mix(mix(seed) ^ visitor);
  const draw = (what: number): number => (mix(own ^ mix(what)) >>> 0) / 4_294_967_296;
  return {
    draw,
    // Box and Muller.
    gauss: (what) =>
      Math.sqrt(-2 * Math.log(1 - draw(GAUSS + what))) * Math.cos(2 * Math.PI * draw(2 * GAUSS + what)),
  };
}

/** Scatters the bits of a whole number (murmur3's last step). */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
