/** What a replica sees of the lines, by their ids. */
export type SharedLineView = {
  /** It reaches none of the lines and backups: the trouble is its own. */
  readonly isCutOff: boolean;
  readonly down: readonly string[];
  /** Those of them whose application is dead, although they pass the speed check. */
  readonly dead: readonly string[];
};

/** What a replica tells the others of itself. */
export type ReplicaReport = {
  readonly name: string;
  readonly startedAt: number;
  readonly siteVersion: number;
  /** Of the content of its site folder, see `PublishedSite`. */
  readonly siteHash: string;
  readonly isStoreUp: boolean;
  /** Null until it has asked every line, or where it does not watch them. */
  readonly lines: SharedLineView | null;
  readonly keepsRecordings: boolean;
};

export type Replica = ReplicaReport & {
  readonly isThis: boolean;
  /** Since when nothing was heard of it, in ms since 1970; undefined while it is there. */
  readonly goneSince: number | undefined;
};

/** Who serves this site. */
export type ReplicaList = {
  readonly kind: 'memory' | 'redis';
  /** This replica first, then those that run, then those that ended without saying so. */
  readonly replicas: () => readonly Replica[];
  /** Tells the others of this replica, and reads what they tell. To be repeated about once a second; it never fails. */
  readonly exchangeNotes: () => Promise<void>;
  /** Tells the others that this replica ends. */
  readonly close: () => Promise<void>;
};

/** Creates the list of a portal that runs alone. */
export function createLoneReplicaList(describeSelf: () => ReplicaReport): ReplicaList {
  return {
    kind: 'memory',
    replicas: () => [{ ...describeSelf(), isThis: true, goneSince: undefined }],
    exchangeNotes: async () => undefined,
    close: async () => undefined,
  };
}
