/** The media type of a JSON Merge Patch (RFC 7396). */
export const MERGE_PATCH = 'application/merge-patch+json';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Applies a JSON Merge Patch (RFC 7396) with one difference: a member that the patch removes becomes null. A body with
 * null means the same as a body without the member, and null shows that the client has named the member. So a patch
 * that removes an unknown or read-only property is rejected.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  if (!isJsonObject(target)) return withoutNulls(patch);
  const changed = Object.entries(patch).map(([name, value]) => [
    name,
    value === null ? null : mergePatch(memberOf(target, name), value),
  ]);
  return { ...target, ...(Object.fromEntries(changed) as JsonObject) };
}

const withoutNulls = (patch: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(patch)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, mergePatch(undefined, value)]),
  );

/** Returns a member of the object itself. Undefined for inherited names such as `constructor`. */
export const memberOf = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;
