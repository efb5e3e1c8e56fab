/** Groups elements by a key. The order of the elements stays. Node has `Map.groupBy` only from version 21. */
export function groupBy<T, Key>(elements: readonly T[], keyOf: (element: T) => Key): ReadonlyMap<Key, readonly T[]> {
  const groups = new Map<Key, T[]>();
  for (const element of elements) {
    const key = keyOf(element);
    const group = groups.get(key);
    if (group) group.push(element);
    else groups.set(key, [element]);
  }
  return groups;
}
