import { traceFields } from '@ats/telemetry';
import { type LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';

export { type Logger };

/** Token of the app's logger. */
export const LOGGER = Symbol('logger');

/** Structured lines on standard output. Ids only: no bodies, keys, tokens or data of people. */
export const createLogger = (level: string): Logger => pino({ level, base: { app: 'notifier' }, mixin: () => ({ ...traceFields() }) });

/** What of an error may be logged: messages of PostgreSQL quote values, those of our own errors do not. */
export function describeError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { error: typeof error };
  const { code, constraint, table } = error as Error & { readonly code?: unknown; readonly constraint?: unknown; readonly table?: unknown };
  const isFromPostgres = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  return {
    error: error.name,
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    ...(table !== undefined && { table }),
    ...(!isFromPostgres && { reason: error.message }),
    stack: error.stack?.split('\n').slice(1, 6).map((line) => line.trim()),
  };
}

/** Nest's own messages in the same form. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, ...details: readonly unknown[]): void {
    this.logger.error({ context: details.at(-1), ...(message instanceof Error && describeError(message)) }, message instanceof Error ? message.name : String(message));
  }

  fatal(message: unknown, context?: unknown): void {
    this.logger.fatal({ context }, String(message));
  }

  debug(message: unknown, context?: unknown): void {
    this.logger.trace({ context }, String(message));
  }
}
