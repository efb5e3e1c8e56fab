// @ts-check
import { createWriteStream } from 'node:fs';

const levels = new Map([[10, 'trace'], [20, 'debug'], [30, 'info'], [40, 'warn'], [50, 'error'], [60, 'fatal']]);
const greatestDetail = 300;

/**
 * Prints what an app logs, one prefixed line each, and keeps the original lines in a file.
 * @param {string} name
 * @param {string} logFile
 */
export function appLog(name, logFile) {
  const file = createWriteStream(logFile, { flags: 'w', mode: 0o600 });
  const log = {
    /** While the app starts, only what somebody should know of is printed. */
    isQuiet: true,
    /** @param {string} line */
    write(line) {
      file.write(`${line}\n`);
      const entry = parse(line);
      if (entry && entry.level < 40 && (log.isQuiet || entry.route?.startsWith('/health/'))) return;
      for (const text of entry ? readable(entry) : [line]) console.log(`[${name}] ${text}`);
    },
  };
  return log;
}

/**
 * @param {string} line
 * @returns {(Record<string, any> & { level: number }) | undefined} undefined for what is not one of our log lines
 */
function parse(line) {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry = JSON.parse(line);
    return typeof entry.level === 'number' ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** @param {Record<string, any> & { level: number }} entry */
function readable({ level, time, msg, err, pid: _pid, hostname: _hostname, name: _name, app: _app, ...details }) {
  if (msg === 'request' && !err) {
    const { method, route, status, durationMs, reqId: _reqId, credential: _credential, ...rest } = details;
    msg = `${method} ${route} ${status} ${durationMs} ms`;
    details = rest;
  }
  const clock = new Date(time ?? Date.now()).toTimeString().slice(0, 8);
  const rank = level === 30 ? '' : `${levels.get(level) ?? level} `;
  const rest = Object.keys(details).length > 0 ? ` ${JSON.stringify(details)}` : '';
  const text = `${clock} ${rank}${msg ?? ''}${rest.length > greatestDetail ? `${rest.slice(0, greatestDetail)}...` : rest}`;
  return err ? [text, ...String(err.stack ?? err.message).split('\n').map((line) => `  ${line}`)] : [text];
}
