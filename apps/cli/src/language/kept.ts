/** Milliseconds after which a model is loaded again. Form items or the scopes of the credential may have changed. */
const KEPT_MS = 300_000;

/**
 * Caches a loaded value for five minutes. The first call after this time loads the value again.
 * @returns a function that returns the value, or the old value when loading it again fails
 * @throws the error of the load when no old value exists
 */
export function kept<T>(load: () => Promise<T>, now: () => number = () => performance.now()): () => Promise<T> {
  let value: Promise<T> | undefined;
  let loadedAt = 0;
  return () => {
    if (value !== undefined && now() - loadedAt < KEPT_MS) return value;
    const old = value;
    const loaded = load().catch((error: unknown) => {
      if (value === loaded) value = old;
      if (old === undefined) throw error;
      return old;
    });
    [value, loadedAt] = [loaded, now()];
    return loaded;
  };
}
