/** A map, or a set. */
type Entries<K> = {
  readonly size: number;
  readonly keys: () => Iterable<K>;
  readonly delete: (key: K) => boolean;
};

/** Removes what was put in first, until at most `most` entries are left, so that memory stays bounded. */
export function forgetOldest<K>(entries: Entries<K>, most: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(key);
  }
}

/** Puts an entry behind all others of a map, also if the map has its key already. */
export function putLast<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
}
