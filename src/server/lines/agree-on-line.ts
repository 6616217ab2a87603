/** What a replica sees of the lines, by their ids. */
export type SharedLineView = {
  /** It reaches none of the lines and backups: the trouble is its own. */
  readonly isCutOff: boolean;
  readonly down: readonly string[];
  /** The lines of `down` whose application is dead, although they pass the speed check. */
  readonly dead: readonly string[];
};

/** What the replicas decide together about one line. */
export type Agreement = { readonly isDown: boolean; readonly isDead: boolean };

/**
 * Decides about a line by what most of the replicas see. One that is cut off from all lines has no vote: it sees its own
 * trouble. Undefined if nobody else has a vote.
 */
export function agreeOnLine(
  id: string,
  own: SharedLineView,
  others: readonly SharedLineView[],
): Agreement | undefined {
  const voters = others.filter(({ isCutOff }) => !isCutOff);
  if (voters.length === 0) return undefined;
  if (!own.isCutOff) voters.push(own);
  const isMost = (name: 'down' | 'dead'): boolean =>
    voters.filter((voter) => voter[name].includes(id)).length * 2 > voters.length;
  return { isDown: isMost('down'), isDead: isMost('dead') };
}
