/** The media type of a JSON Merge Patch (RFC 7396). */
export const MERGE_PATCH = 'application/merge-patch+json';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Applies a JSON Merge Patch (RFC 7396) to an item, with one difference: a property that the patch removes becomes null.
 * A body with null means the same as a body without the property, but null shows that the client has named the
 * property. So a patch that removes an unknown or read-only property is rejected.
 */
export function patchedItem(item: JsonObject, patch: unknown): unknown {
  const merged = mergePatch(item, patch);
  if (!isJsonObject(patch) || !isJsonObject(merged)) return merged;
  const removed = Object.entries(patch).filter(([, value]) => value === null);
  return { ...merged, ...Object.fromEntries(removed) };
}

/** Applies a JSON Merge Patch (RFC 7396). */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const members = isJsonObject(target) ? target : {};
  const changed = Object.entries(patch).map(([name, value]) => [name, mergePatch(memberOf(members, name), value)]);
  const merged = { ...members, ...(Object.fromEntries(changed) as JsonObject) };
  return Object.fromEntries(Object.entries(merged).filter(([name]) => memberOf(patch, name) !== null));
}

/** Returns a member of the object itself. Undefined for inherited names such as `constructor`. */
export const memberOf = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;
