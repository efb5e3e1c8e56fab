import { type LoggerService } from '@nestjs/common';
import { type Logger } from 'pino';

/** Nest's log lines through pino, each under the name of who wrote it. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...details: unknown[]): void {
    this.#write('info', message, details);
  }

  error(message: unknown, ...details: unknown[]): void {
    this.#write('error', message, details);
  }

  warn(message: unknown, ...details: unknown[]): void {
    this.#write('warn', message, details);
  }

  debug(message: unknown, ...details: unknown[]): void {
    this.#write('debug', message, details);
  }

  verbose(message: unknown, ...details: unknown[]): void {
    this.#write('trace', message, details);
  }

  fatal(message: unknown, ...details: unknown[]): void {
    this.#write('fatal', message, details);
  }

  #write(level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace', message: unknown, details: readonly unknown[]): void {
    const context = details.at(-1);
    const fields = typeof context === 'string' ? { context } : {};
    if (message instanceof Error) this.logger[level]({ ...fields, err: message }, message.name);
    else this.logger[level](fields, String(message));
  }
}
