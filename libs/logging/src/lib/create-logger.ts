import { hostname } from 'node:os';
import { pid, stdout } from 'node:process';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import { describeError } from './describe-error.js';
import { toReadable } from './readable.js';

export { type Logger };

/** One JSON object for each line, for machines; or a text for people who develop. */
export type LogFormat = 'json' | 'pretty';

export interface LoggerOptions {
  /** Which process writes: `api`, `notifier`. */
  readonly app: string;
  /** Which release of it. */
  readonly release?: string | undefined;
  /** The least of what is written: `fatal` to `trace`, or `silent`. */
  readonly level: string;
  readonly format?: LogFormat;
  /** What each line has beside its own fields at the moment when it is written: the trace that it is a part of. */
  readonly fields?: () => Readonly<Record<string, unknown>>;
  /** Given each line with its line break, instead of standard output. */
  readonly write?: (line: string) => void;
}

/**
 * Structured lines on standard output: `time` (ISO 8601, UTC), `level` (a word), `app`, `release`, `hostname`, `pid`, `msg`, and the
 * fields of the line, in snake_case. Errors go under `err` and are described by {@link describeError}; objects of requests and answers are never written.
 */
export function createLogger({ app, release, level, format = 'json', fields, write }: LoggerOptions): Logger {
  const print = write ?? ((line: string) => void stdout.write(line));
  const destination = format === 'pretty' ? { write: (line: string) => print(toReadable(line)) } : write && { write };
  return pino(
    {
      level,
      base: { app, release, hostname: hostname(), pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError, error: describeIfError, req: () => undefined, res: () => undefined },
      hooks: { logMethod: sayOwnWords },
      ...(fields && { mixin: () => ({ ...fields() }) }),
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
}

const describeIfError = (value: unknown): unknown => (value instanceof Error ? describeError(value) : value);

/** Of a line that has an error and no words pino would print the error's message. */
function sayOwnWords(
  this: Logger,
  given: Parameters<Logger['info']>,
  log: (this: Logger, ...given: Parameters<Logger['info']>) => void,
): void {
  const [first, words] = given as [unknown, unknown];
  const error = first instanceof Error ? first : hasError(first) ? first.err : undefined;
  if (error !== undefined && words === undefined)
    log.call(this, first instanceof Error ? { err: first } : first, error instanceof Error ? error.name : 'error');
  else log.apply(this, given);
}

const hasError = (value: unknown): value is { readonly err: unknown } =>
  typeof value === 'object' && value !== null && 'err' in value;
