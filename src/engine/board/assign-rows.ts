import { MAX_ROWS } from '../../contract/limits.ts';
import { uniqueLines } from '../probe/create-prober.ts';
import type { Line } from '../line/build-line.ts';

/** Which line stands in a row. */
export type RowLine = { readonly line: Line; readonly isBackup: boolean };

export type RowChoice = {
  /** What stood in the rows before the list was asked for. */
  readonly before: readonly (RowLine | undefined)[];
  /** What stands in them now: backups, where the list is late. */
  readonly shown: readonly (RowLine | undefined)[];
  /** The lines of the hostname list, shuffled, and of the fallback hosts; undefined stands for a refused one. */
  readonly listed: readonly (Line | undefined)[];
  readonly backups: readonly (Line | undefined)[];
};

/** Fills the four rows: listed hosts first, each in the row that it had, then the fallback hosts as backup. */
export function assignRows({ before, shown, ...given }: RowChoice): readonly (RowLine | undefined)[] {
  const listed = uniqueLines(given.listed);
  // Each row as it was, where that is on the list again, or else as it is.
  const previous = shown.map((row, index) => {
    const last = before[index];
    return listed.some(({ host }) => host === last?.line.host) ? last : row;
  });
  const wasShown = (line: Line) => previous.some((row) => row?.line.host === line.host);
  // Where more are listed than fit, those that the visitor has seen stay.
  const chosen = [...listed.filter(wasShown), ...listed.filter((line) => !wasShown(line))].slice(0, MAX_ROWS);
  const backups = uniqueLines(given.backups).filter(({ host }) => chosen.every((line) => line.host !== host));
  return [
    ...keepPlaces(chosen, previous.slice(0, chosen.length)).map((line) => ({ line, isBackup: false })),
    ...keepPlaces(backups, shown.slice(chosen.length)).map((line) => ({ line, isBackup: true })),
    ...Array.from<undefined>({ length: MAX_ROWS }),
  ].slice(0, MAX_ROWS);
}

/** Puts each line that had one of these places back into it, and the others, in their order, into the gaps. */
function keepPlaces(lines: readonly Line[], places: readonly (RowLine | undefined)[]): readonly Line[] {
  const isPlaced = ({ host }: Line) => places.some((row) => row?.line.host === host);
  const others = lines.filter((line) => !isPlaced(line));
  const placed = places.map((row) => lines.find(({ host }) => host === row?.line.host) ?? others.shift());
  return [...placed, ...others].filter((line) => line !== undefined);
}
