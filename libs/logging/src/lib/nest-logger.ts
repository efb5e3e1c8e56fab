import { type Logger } from './create-logger.js';

/**
 * Writes Nest's lines in the form of all others (a `LoggerService` of Nest). They are of use only for debugging, so
 * each is one level lower than in Nest; warnings and errors keep their level.
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
   * Nest passes the context as the last detail. A stack may come before it, which is dropped because it begins with a
   * message.
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
