/**
 * What the log may hold of an error. What a database says quotes values, and its driver hands over whole statements with
 * their parameters: of that only the code and the names of what is concerned are kept.
 */
export function loggableError(error: Error): Readonly<Record<string, unknown>> {
  const { name, message, stack = '' } = error;
  const { code, severity, constraint, table, column, routine } = error as Error & Readonly<Record<string, unknown>>;
  const isOfDatabase = typeof severity === 'string' || 'driverError' in error;
  if (!isOfDatabase) return { type: name, message, stack, ...(typeof code === 'string' && { code }) };
  return { type: name, code, constraint, table, column, routine, stack: framesOf(stack) };
}

/** A stack begins with the message. */
const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
