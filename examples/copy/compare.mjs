// Compares items of a copy with the items of the source.

/**
 * Values that the service computes from other items or from the date. They change without a change of the item, so a
 * copy computes them from its own items.
 */
const COMPUTED = {
  postings: ['status', 'accepts_applications'],
  vacancies: ['application_count'],
  events: ['application_count'],
};

/**
 * Returns a value in which the id replaces each related item, because related items are compared themselves. Sorts the
 * names of properties.
 */
function ownValue(value) {
  if (Array.isArray(value)) return value.map(ownValue);
  if (typeof value !== 'object' || value === null) return value;
  if ('id' in value && 'url' in value) return value.id;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, ownValue(inner)]));
}

/** Names the items that are missing, superfluous or different. */
export function differences(resource, copied, current) {
  const found = [];
  for (const [id, item] of current) {
    const copy = copied.get(id);
    if (!copy) found.push({ resource, id, what: 'is missing in the copy' });
    // The copy may have read the item alone, and then has more properties than the item on a page.
    else
      for (const [name, value] of Object.entries(item)) {
        const [is, was] = [value, copy[name]].map((one) => JSON.stringify(ownValue(one)));
        if (is !== was && !COMPUTED[resource]?.includes(name))
          found.push({ resource, id, what: `${name} is ${is}, the copy has ${was}` });
      }
  }
  for (const id of copied.keys()) if (!current.has(id)) found.push({ resource, id, what: 'is deleted in the source' });
  return found;
}
