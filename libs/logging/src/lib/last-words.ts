import process from 'node:process';
import { type Logger } from './create-logger.js';

/** Logs an uncaught exception, without values that its message may quote. Then ends the process with status 1. */
export function sayLastWords(logger: Logger): void {
  process.on('uncaughtException', (err) => {
    logger.fatal({ err }, 'an exception was not caught, so the process ends');
    process.exit(1);
  });
}
