// @ts-check
import { createWriteStream } from 'node:fs';

const grave = new Set(['warn', 'error', 'fatal']);

/**
 * Prints what an app logs, in a form for people and prefixed, and keeps the original lines in a file.
 * @param {string} name
 * @param {string} logFile
 * @param {(line: string) => string} toReadable
 */
export function appLog(name, logFile, toReadable) {
  const file = createWriteStream(logFile, { flags: 'w', mode: 0o600 });
  const log = {
    /** While the app starts, only what somebody should know of is printed. */
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
 * @param {string} line
 * @returns {string | undefined} undefined for what is not one of our log lines
 */
function levelOf(line) {
  try {
    return JSON.parse(line).level;
  } catch {
    return undefined;
  }
}
