/**
 * Reports are weighed by voter. In an area, a voter is a group of prefixes (/24 or /48): one prefix is one voter, whatever
 * it reports and however often. In a wider view, a voter is a group of areas. `cap` is how many observations a voter's word
 * about a line weighs at most. The visitors of the whole site who reach no line are counted by groups of prefixes, too.
 */
export const VOTERS = {
  area: { count: 24, cap: 1 },
  country: { count: 16, cap: 6 },
  everyone: { count: 64, cap: 6 },
  stranded: { count: 24 },
} as const;

/** Sorts names into `count` groups, the same on every replica (FNV-1a). */
export function findVoter(name: string, count: number): number {
  let hash = 0x81_1c_9d_c5;
  for (let place = 0; place < name.length; place += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(place), 0x01_00_01_93);
  }
  return (hash >>> 0) % count;
}
