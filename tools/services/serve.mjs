// @ts-check
import { createInterface } from 'node:readline';
import { startPostgres } from './postgres.mjs';
import { kill } from './processes.mjs';
import { startRedis } from './redis.mjs';

/**
 * Servers for a program that wants to kill, pause and restart them. Commands come on the standard input, one JSON object
 * a line, answers go to the standard output under the id of the command:
 *
 *   { id, start: 'postgres' | 'redis', options }   as `startPostgres` and `startRedis` take them; answer { id, pid }
 *   { id, end: pid, signal }                       answer { id } when the process has gone
 *
 * The end of the input ends all of them.
 *
 * @typedef {import('./processes.mjs').Running} Running
 * @typedef {{ id: number, start: 'postgres' | 'redis', options: any }} StartCommand
 * @typedef {{ id: number, end: number, signal: NodeJS.Signals }} EndCommand
 */

/** @type {Map<number, Running>} */
const running = new Map();

/** @param {StartCommand} command */
async function start({ start: kind, options }) {
  const { server } = kind === 'postgres' ? await startPostgres(options) : await startRedis(options);
  running.set(server.pid, server);
  void server.exited.then(() => running.delete(server.pid));
  return { pid: server.pid };
}

/** @param {EndCommand} command */
async function end({ end: pid, signal }) {
  const server = running.get(pid);
  if (!server) return {};
  kill(pid, signal);
  await server.exited;
  return {};
}

/** @param {StartCommand | EndCommand} command */
async function answer(command) {
  let result;
  try {
    result = await ('start' in command ? start(command) : end(command));
  } catch (error) {
    result = { error: error instanceof Error ? error.message : String(error) };
  }
  process.stdout.write(JSON.stringify({ id: command.id, ...result }) + '\n');
}

for await (const line of createInterface({ input: process.stdin })) void answer(JSON.parse(line));
for (const server of [...running.values()]) kill(server.pid, 'SIGCONT'); // a paused one would not hear that it is to end
await Promise.all([...running.values()].map((server) => server.stop()));
