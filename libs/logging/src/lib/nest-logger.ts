import { type Logger } from './create-logger.js';

/**
 * Writes Nest's log lines in the form of all other lines (a `LoggerService` of Nest). Lines below a warning are only
 * useful for debugging, so each gets one level lower than in Nest. Warnings and errors keep their level.
 */
export class NestLogger {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...details: readonly unknown[]): void {
    this.write('debug', message, details);
  }

  error(message: unknown, ...details: readonly unknown[]): void {
    this.write('error', message, details);
  }

  warn(message: unknown, ...details: readonly unknown[]): void {
    this.write('warn', message, details);
  }

  debug(message: unknown, ...details: readonly unknown[]): void {
    this.write('trace', message, details);
  }

  verbose(message: unknown, ...details: readonly unknown[]): void {
    this.write('trace', message, details);
  }

  fatal(message: unknown, ...details: readonly unknown[]): void {
    this.write('fatal', message, details);
  }

  /**
   * Nest passes the context as the last detail. A stack may precede the context. The stack is dropped, because it
   * begins with a message that may quote values.
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
