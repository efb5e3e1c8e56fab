// @ts-check
import { createInterface } from 'node:readline';
import { makeRestored, makeStandby, takeBaseBackup } from './base-backup.mjs';
import { startPostgres } from './postgres.mjs';
import { kill } from './processes.mjs';
import { formCluster, startClusterNode } from './redis-cluster.mjs';
import { startRedis } from './redis.mjs';
import { startSentinel } from './redis-sentinel.mjs';

/**
 * Runs servers for a test program that kills, pauses and restarts them. This program reads one JSON command per line
 * from the standard input, and writes each answer with the id of its command to the standard output:
 *
 *   { id, start: kind, options }       starts a server of a kind in `starters`, with the options of its function;
 *                                      answer { id, pid }
 *   { id, form: 'cluster', options }   options of `formCluster`; answer { id } when the cluster is complete
 *   { id, end: pid, signal }           sends the signal; answer { id } when the process has exited
 *   { id, copy: options, standby? }    makes a base backup (`takeBaseBackup`), and with `standby` a replica of it
 *                                      (`makeStandby`); answer { id }
 *   { id, restored: options }          prepares a base backup for a restore (`makeRestored`); answer { id }
 *
 * All servers stop when the input ends.
 *
 * @typedef {import('./processes.mjs').Running} Running
 * @typedef {{ id: number, start: keyof typeof starters, options: any }} StartCommand
 * @typedef {{ id: number, form: 'cluster', options: any }} FormCommand
 * @typedef {{ id: number, end: number, signal: NodeJS.Signals }} EndCommand
 * @typedef {{ id: number, copy: Parameters<typeof takeBaseBackup>[0], standby?: Parameters<typeof makeStandby>[0] }}
 *   CopyCommand
 * @typedef {{ id: number, restored: Parameters<typeof makeRestored>[0] }} RestoreCommand
 */

/** @type {Map<number, Running>} */
const running = new Map();

const starters = {
  postgres: startPostgres,
  redis: startRedis,
  'cluster-node': startClusterNode,
  sentinel: startSentinel,
};

/**
 * Starts a server.
 * @param {StartCommand} command
 */
async function start({ start: kind, options }) {
  const { server } = await starters[kind](options);
  running.set(server.pid, server);
  void server.exited.then(() => running.delete(server.pid));
  return { pid: server.pid };
}

/**
 * Sends a signal to a server, and waits for its end.
 * @param {EndCommand} command
 */
async function end({ end: pid, signal }) {
  const server = running.get(pid);
  if (!server) return {};
  kill(pid, signal);
  await server.exited;
  return {};
}

/**
 * Makes a base backup, and a replica of it when the command asks for one.
 * @param {CopyCommand} command
 */
async function copy({ copy: options, standby }) {
  await takeBaseBackup(options);
  if (standby) makeStandby(standby);
  return {};
}

/**
 * Carries out a command. Returns the answer without its id.
 * @param {StartCommand | FormCommand | EndCommand | CopyCommand | RestoreCommand} command
 */
async function carryOut(command) {
  if ('start' in command) return start(command);
  if ('form' in command) return formCluster(command.options);
  if ('copy' in command) return copy(command);
  if ('restored' in command) return makeRestored(command.restored);
  return end(command);
}

/**
 * Carries out a command, and prints its answer or its error.
 * @param {StartCommand | FormCommand | EndCommand | CopyCommand | RestoreCommand} command
 */
async function answer(command) {
  let result;
  try {
    result = await carryOut(command);
  } catch (error) {
    result = { error: error instanceof Error ? error.message : String(error) };
  }
  process.stdout.write(JSON.stringify({ id: command.id, ...result }) + '\n');
}

for await (const line of createInterface({ input: process.stdin })) void answer(JSON.parse(line));
// A paused server would not react to SIGTERM, so it is resumed first.
for (const server of [...running.values()]) kill(server.pid, 'SIGCONT');
await Promise.all([...running.values()].map((server) => server.stop()));
