/** What a replica tells the others of itself. */
export type ReplicaReport = {
  readonly name: string;
  readonly startedAt: number;
  readonly siteVersion: number;
  readonly isStoreUp: boolean;
};

export type Replica = ReplicaReport & { readonly isThis: boolean };

/** Who serves this site. */
export type ReplicaBoard = {
  readonly kind: 'memory' | 'redis';
  /** This replica first, then those that were heard of lately. */
  readonly replicas: () => readonly Replica[];
  /** Tells and learns. To be repeated about once a second; it never fails. */
  readonly look: () => Promise<void>;
  /** Takes leave of the others. */
  readonly close: () => Promise<void>;
};

/** The board of a portal that runs alone. */
export function createLoneBoard(describeSelf: () => ReplicaReport): ReplicaBoard {
  return {
    kind: 'memory',
    replicas: () => [{ ...describeSelf(), isThis: true }],
    look: async () => undefined,
    close: async () => undefined,
  };
}
