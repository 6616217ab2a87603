import { MAX_ROWS } from '../../contract/limits.ts';
import { uniqueLines } from '../probe/create-prober.ts';
import type { Line } from '../line/build-line.ts';

/** The line of a row. A backup is a fallback host. */
export type RowLine = Line & { readonly isBackup: boolean };

export type RowChoice = {
  /** The rows when the run began. */
  readonly before: readonly (RowLine | undefined)[];
  /** The rows now. They hold backups where the hostname call was slow. */
  readonly shown: readonly (RowLine | undefined)[];
  /** The lines of the hostname list, shuffled. An entry that was refused is undefined. */
  readonly listed: readonly (Line | undefined)[];
  readonly backups: readonly (Line | undefined)[];
};

/** Fills the four rows: first the listed lines, then the fallback hosts as backups. A line keeps the row that it had. */
export function assignRows({ before, shown, ...given }: RowChoice): readonly (RowLine | undefined)[] {
  const listed = uniqueLines(given.listed);
  // A line that is listed again goes back to the row that it had when the run began.
  const previous = shown.map((row, index) => {
    const last = before[index];
    return listed.some(({ host }) => host === last?.host) ? last : row;
  });
  const wasShown = (line: Line) => previous.some((row) => row?.host === line.host);
  // If more lines are listed than fit, the visitor keeps those already seen.
  const chosen = [...listed.filter(wasShown), ...listed.filter((line) => !wasShown(line))].slice(0, MAX_ROWS);
  const backups = uniqueLines(given.backups).filter(({ host }) => chosen.every((line) => line.host !== host));
  return [
    ...keepPlaces(chosen, previous.slice(0, chosen.length)).map(asRow(false)),
    ...keepPlaces(backups, shown.slice(chosen.length)).map(asRow(true)),
    ...Array.from<undefined>({ length: MAX_ROWS }),
  ].slice(0, MAX_ROWS);
}

function asRow(isBackup: boolean): (line: Line) => RowLine {
  return ({ host, address }) => ({ host, address, isBackup });
}

/** Puts each line into the place that it had. The other lines fill the gaps in their order. */
function keepPlaces(lines: readonly Line[], places: readonly (RowLine | undefined)[]): readonly Line[] {
  const isPlaced = ({ host }: Line) => places.some((row) => row?.host === host);
  const others = lines.filter((line) => !isPlaced(line));
  const placed = places.map((row) => lines.find(({ host }) => host === row?.host) ?? others.shift());
  return [...placed, ...others].filter((line) => line !== undefined);
}
