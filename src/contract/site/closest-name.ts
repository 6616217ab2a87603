import { must } from '../faults/site-fault.ts';
import { MAX_FAULTS } from '../limits.ts';

/** With more changes than this, the operator meant another name. */
const MAX_CHANGES = 2;

/** The known name that a mistyped one was most likely meant to be; undefined where none is close. */
export function closestName(typed: string, known: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const ranked = known
    // Each change makes a name longer or shorter by one letter at most. So a key of 100,000 letters is not compared at all.
    .filter((name) => Math.abs(name.length - typed.length) <= MAX_CHANGES)
    .map((name) => ({ name, changes: countChanges(wanted, name.toLowerCase()) }))
    .toSorted((one, other) => one.changes - other.changes);
  const [best] = ranked;
  return best !== undefined && best.changes <= Math.min(MAX_CHANGES, best.name.length - 1)
    ? best.name
    : undefined;
}

/**
 * Explains at most 101 faults, because finding the closest name is slow and no more than 100 faults are shown. For a schema
 * that is made for one file.
 */
export function explainFirst(explain: (typed: string) => string): (typed: string) => string {
  let left = MAX_FAULTS + 1;
  return (typed) => {
    left -= 1;
    return left < 0 ? must('not-valid') : explain(typed);
  };
}

/**
 * How many letters are added, left out, replaced or swapped with their neighbour (optimal string alignment distance).
 * Infinity as soon as they are too many: a file may have thousands of unknown keys.
 */
function countChanges(one: string, other: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column);
  let lastLeast = 0;
  for (let row = 1; row <= one.length; row += 1) {
    const changes = [row];
    let least = row;
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const found = Math.min(
        (last[column] ?? 0) + 1,
        (changes[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        row > 1 && column > 1 && isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
      changes.push(found);
      least = Math.min(least, found);
    }
    // A swap looks back by two rows.
    if (Math.min(least, lastLeast) > MAX_CHANGES) return Infinity;
    [beforeLast, last, lastLeast] = [last, changes, least];
  }
  return last[other.length] ?? 0;
}
