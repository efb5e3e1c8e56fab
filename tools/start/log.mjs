// @ts-check
import { createWriteStream } from 'node:fs';

const grave = new Set(['warn', 'error', 'fatal']);

/**
 * Prints the log of an app in readable form with a prefix, and keeps the original lines in a file.
 * @param {string} name
 * @param {string} logFile
 * @param {(line: string) => string} toReadable
 */
export function appLog(name, logFile, toReadable) {
  const file = createWriteStream(logFile, { flags: 'w', mode: 0o600 });
  const log = {
    /** True while the app starts. While it is true, only warnings and errors are printed. */
    isQuiet: true,
    /** @param {string} line */
    write(line) {
      file.write(`${line}\n`);
      const level = levelOf(line);
      if (log.isQuiet && level !== undefined && !grave.has(level)) return;
      for (const text of toReadable(line).trimEnd().split('\n')) console.log(`[${name}] ${text}`);
    },
  };
  return log;
}

/**
 * Reads the level of a line.
 * @param {string} line
 * @returns {string | undefined} the level; undefined for a line that is not from the app's logger
 */
function levelOf(line) {
  try {
    return JSON.parse(line).level;
  } catch {
    return undefined;
  }
}
