/**
 * Thrown by an evaluation whose context is wrong: it is no object, it has no function `valueOf`, `now` is no `Date`, or
 * `timeZone` is no IANA name that this process knows. This is a mistake of the program, so the result is never just
 * unknown.
 */
export class ContextError extends Error {
  /** The name of the class. */
  override readonly name = 'ContextError';

  constructor(expected: string, found: unknown) {
    super(`expected ${expected}, found ${describe(found)}`);
  }
}

function describe(found: unknown): string {
  if (typeof found === 'string') return JSON.stringify(found);
  return found !== null && ['object', 'function'].includes(typeof found)
    ? `a value of type ${typeof found}`
    : String(found);
}

/** @throws {ContextError} when the value is no object */
export function assertContext(context: unknown): void {
  if (typeof context !== 'object' || context === null)
    throw new ContextError('a context with `valueOf`, `now` and `timeZone`', context);
}

/**
 * Reads a value of a context. The `valueOf` that every object inherits does not count, because it knows no datapaths.
 * @throws {ContextError} when the context has no function `valueOf` of its own
 */
export function readValue(context: { readonly valueOf: (datapath: string) => unknown }, datapath: string): unknown {
  const { valueOf }: { readonly valueOf: unknown } = context;
  if (typeof valueOf !== 'function' || valueOf === Object.prototype.valueOf)
    throw new ContextError('the context to have a function `valueOf`', typeof valueOf === 'function' ? {} : valueOf);
  return context.valueOf(datapath);
}

/**
 * Returns the milliseconds of a `Date`. `getTime` throws for an object that only looks like a `Date`.
 * @throws {ContextError} when the value is no `Date`
 */
export function millisecondsOf(now: unknown): number {
  try {
    return Date.prototype.getTime.call(now);
  } catch {
    throw new ContextError('`now` to be a Date', now);
  }
}
