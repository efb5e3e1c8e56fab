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

/** A patch that waits to be applied. Its result is stored in `holder` under `name`. */
interface PendingPatch {
  readonly holder: Record<string, unknown>;
  readonly name: string;
  readonly target: unknown;
  readonly patch: JsonObject;
}

/**
 * Applies a JSON Merge Patch (RFC 7396). The function uses no recursion, because a client chooses the depth of the
 * patch.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const root: Record<string, unknown> = {};
  const pending: PendingPatch[] = [{ holder: root, name: 'merged', target, patch }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const merged = isJsonObject(next.target) ? { ...next.target } : {};
    for (const [name, value] of Object.entries(next.patch)) {
      if (value === null) Reflect.deleteProperty(merged, name);
      else if (isJsonObject(value))
        pending.push({ holder: merged, name, target: memberOf(merged, name), patch: value });
      // Sets an object even before it is merged, so that the order of the members stays the same.
      if (value !== null) setMember(merged, name, value);
    }
    setMember(next.holder, next.name, merged);
  }
  return root['merged'];
}

/** Sets a member that belongs to the object itself, even when its name is inherited, such as `__proto__`. */
const setMember = (object: Record<string, unknown>, name: string, value: unknown): void =>
  void Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });

/** Returns a member that belongs to the object itself. Undefined for inherited names such as `constructor`. */
export const memberOf = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;
