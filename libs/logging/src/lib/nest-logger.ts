import { type Logger } from './create-logger.js';

/**
 * Nest's own lines in the form of all others (`LoggerService`). What it says of its routes and modules while it starts is for
 * those who look for a fault: a level lower than Nest has it.
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

  /** The last detail names who writes; what may come before it, a stack, begins with a message. */
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
