import type { ConsoleNetworks } from '../../contract/console.ts';
import type { CellPlace } from './read-cell.ts';

export type Failure = {
  readonly host: string;
  readonly network: string;
  readonly since: number;
  readonly place: CellPlace;
};

/** Which line fails where, the latest first: what is new is what somebody has to look at. */
export function listFailures({ lines, networks }: ConsoleNetworks): readonly Failure[] {
  return networks
    .flatMap(({ name, failingSince }, network) =>
      failingSince.flatMap((since, line) =>
        since === null
          ? []
          : [{ host: lines[line]?.host ?? '', network: name, since, place: { network, line } }],
      ),
    )
    .toSorted((a, b) => b.since - a.since);
}
