import process from 'node:process';
import { type Logger } from './create-logger.js';

/** A fault that nobody has caught ends the process, as it does without this: but its line is one of the log, without what its message quotes. */
export function sayLastWords(logger: Logger): void {
  process.on('uncaughtException', (err) => {
    logger.fatal({ err }, 'a fault that nobody caught: the process ends');
    process.exit(1);
  });
}
