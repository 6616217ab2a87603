/** The value of a key. If the map has none, it is created and added. */
export function findOrAdd<K, V>(map: Map<K, V>, key: K, create: () => NoInfer<V>): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}
