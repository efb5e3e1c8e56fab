// @ts-check
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredNames } from '../config/processes.mjs';
import { runLogged } from '../services/run.mjs';
import { startTestServices } from '../services/test-services.mjs';
import { makeDataDir, root } from '../workspace.mjs';
import { addUpCounts, forgetCounts, inWords, runningSpecs } from './counts.mjs';
import { inLanes } from './lanes.mjs';
import { readOptions } from './options.mjs';

/** Environment variables of PostgreSQL's own clients. The steps do not get them. */
const PG = /^PG[A-Z]+$/;

/** @typedef {import('./steps.mjs').Step} Step */
/** @typedef {Awaited<ReturnType<typeof startTestServices>>} Services */
/** @typedef {import('../services/processes.mjs').Running} Running */

/** @type {{ isStopping: boolean, running: Set<Running> }} */
const state = { isStopping: false, running: new Set() };

/**
 * `npm test`: runs all chosen steps, even after failures. The last line has the total counts.
 * @param {string[]} args
 */
export async function test(args) {
  const options = readOptions(args);
  if (!options) return;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, stop);
  const startedAt = Date.now();
  const total = { passed: 0, failed: 0, skipped: 0 };
  /**
   * Runs steps one after the other, and adds up their counts.
   * @param {readonly Step[]} steps @param {Services} [services]
   */
  const runInOrder = async (steps, services) => {
    for (const step of steps) {
      if (state.isStopping) break;
      const counts = await runStep(step, { ...(await environment()), ...services?.env }, options.isVerbose);
      for (const key of /** @type {const} */ (['passed', 'failed', 'skipped'])) total[key] += counts[key];
    }
  };
  const [alone = [], ...lanes] = inLanes(options.chosen);
  await runInOrder(alone);
  // Waits for all lanes even if one throws, because a step must not outlive its servers.
  const ends = await Promise.allSettled(await startLanes(lanes, runInOrder));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  console.log(`${'total'.padEnd(11)}${seconds(startedAt)}`);
  if (state.isStopping) console.log('interrupted');
  if (state.isStopping || total.failed > 0) process.exitCode = 1;
  console.log(inWords(total));
}

/**
 * Starts all lanes. A lane that needs servers gets its own, because some tests empty or stop them.
 * @param {readonly (readonly Step[])[]} lanes
 * @param {(steps: readonly Step[], services?: Services) => Promise<void>} run
 * @returns {Promise<Promise<void>[]>}
 */
async function startLanes(lanes, run) {
  const ends = [];
  for (const steps of lanes) {
    // Lanes start one after the other, because the first start may have to install the servers.
    const services = steps.some(({ needsServices }) => needsServices)
      ? await startTestServices({ say: console.log, isInMemory: true })
      : undefined;
    ends.push(run(steps, services).finally(() => services?.stop()));
  }
  return ends;
}

function stop() {
  state.isStopping = true;
  for (const running of state.running) void running.stop();
}

/**
 * Returns the environment of the steps. It omits the configuration of the apps, which the user's shell may set for
 * `npm start`, and turns colours off, because the output goes to log files.
 */
async function environment() {
  const ours = await declaredNames();
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !PG.test(name) && !ours.has(name))),
    FORCE_COLOR: '0',
  };
}

/**
 * Formats the seconds since a time.
 * @param {number} since
 */
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1).padStart(7)} s`;

/**
 * Runs one step. Returns its counts.
 * @param {Step} step
 * @param {NodeJS.ProcessEnv} inherited
 * @param {boolean} isVerbose
 * @returns {Promise<import('./counts.mjs').Counts>}
 */
async function runStep(step, inherited, isVerbose) {
  const {
    name,
    command: [command = '', ...args],
    suite,
    limitMinutes = 10,
  } = step;
  const env = { ...inherited, ...step.env };
  const startedAt = Date.now();
  if (suite) forgetCounts(step);
  const logs = join(makeDataDir(), 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const logFile = join(logs, `test-${name}.log`);
  writeFileSync(logFile, '', { mode: 0o600 });
  const { ok, isTooLate } = await runLogged({
    command,
    args,
    env,
    cwd: root,
    logFile,
    timeoutMs: limitMinutes * 60_000,
    onStart,
  });
  const skipped =
    ok && !suite
      ? readFileSync(logFile, 'utf8')
          .split('\n')
          .find((line) => line.startsWith('skipped, '))
      : undefined;
  const counts = suite
    ? addUpCounts(step, ok)
    : { passed: ok && !skipped ? 1 : 0, failed: ok ? 0 : 1, skipped: skipped ? 1 : 0 };
  console.log(
    `${name.padEnd(11)}${seconds(startedAt)}  ${suite ? inWords(counts) : (skipped ?? (ok ? 'passed' : 'failed'))}`,
  );
  if (isTooLate)
    console.log(
      [`the step was stopped after ${limitMinutes} minutes`, ...(suite ? runningSpecs(step) : [])].join(', in '),
    );
  if (isVerbose || (!ok && !state.isStopping)) console.log(readFileSync(logFile, 'utf8').trim() + '\n');
  return counts;
}

/**
 * Remembers a running command, so that a signal stops it.
 * @param {Running} running
 */
function onStart(running) {
  state.running.add(running);
  void running.exited.then(() => state.running.delete(running));
  if (state.isStopping) void running.stop();
}
