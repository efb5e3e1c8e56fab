// @ts-check
import { appendFileSync, readFileSync } from 'node:fs';
import { startProcess } from './processes.mjs';

/**
 * Runs a command to its end with its output in a file.
 * @param {{ command: string, args: readonly string[], env?: NodeJS.ProcessEnv, cwd?: string, logFile: string, onStart?: (running: import('./processes.mjs').Running) => void }} options
 * @returns {Promise<{ ok: boolean, tail: string }>} the last lines of its output, to be shown when it failed
 */
export async function runLogged({ command, args, env, cwd, logFile, onStart }) {
  appendFileSync(logFile, `\n$ ${command} ${args.join(' ')}\n`, { mode: 0o600 });
  const running = await startProcess({ name: command, command, args, env, cwd, logFile, stopTimeoutMs: 10_000 });
  onStart?.(running);
  const { code } = await running.exited;
  return { ok: code === 0, tail: code === 0 ? '' : readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-25).join('\n') };
}
