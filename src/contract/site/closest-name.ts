/** With more changes than this, the operator meant another name. */
const MAX_CHANGES = 2;

/** The known name that a mistyped one was most likely meant to be; undefined where none is close. */
export function closestName(typed: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((name) => ({ name, changes: countChanges(typed.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.changes - other.changes);
  const [best] = ranked;
  return best !== undefined && best.changes <= Math.min(MAX_CHANGES, best.name.length - 1)
    ? best.name
    : undefined;
}

/** How many letters are added, left out, replaced or swapped with their neighbour (optimal string alignment distance). */
function countChanges(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= one.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const changes = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        row > 1 && column > 1 && isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
      );
      rows[row]?.push(changes);
    }
  }
  return at(one.length, other.length);
}
