import { type Logger } from './create-logger.js';

/**
 * Writes Nest's log lines in the form of all other lines (a `LoggerService` of Nest). Warnings, errors and
 * fatal errors keep their level. All other lines get a lower level, because they are useful only for debugging.
 */
export class NestLogger {
  constructor(private readonly logger: Logger) {}

  /** Logs at the level `debug`. */
  log(message: unknown, ...details: readonly unknown[]): void {
    this.write('debug', message, details);
  }

  /** Logs at the level `error`. */
  error(message: unknown, ...details: readonly unknown[]): void {
    this.write('error', message, details);
  }

  /** Logs at the level `warn`. */
  warn(message: unknown, ...details: readonly unknown[]): void {
    this.write('warn', message, details);
  }

  /** Logs at the level `trace`. */
  debug(message: unknown, ...details: readonly unknown[]): void {
    this.write('trace', message, details);
  }

  /** Logs at the level `trace`. */
  verbose(message: unknown, ...details: readonly unknown[]): void {
    this.write('trace', message, details);
  }

  /** Logs at the level `fatal`. */
  fatal(message: unknown, ...details: readonly unknown[]): void {
    this.write('fatal', message, details);
  }

  /**
   * Writes one line. The last detail is Nest's context. A stack before it is dropped, because it begins with a message
   * that may quote values.
   */
  private write(
    level: 'fatal' | 'error' | 'warn' | 'debug' | 'trace',
    message: unknown,
    details: readonly unknown[],
  ): void {
    const context = details.at(-1);
    const fields = typeof context === 'string' && /^\w{1,60}$/.test(context) ? { context } : {};
    if (message instanceof Error) this.logger[level]({ ...fields, err: message }, message.name);
    else this.logger[level](fields, String(message));
  }
}
