// @ts-check
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { guardDir, unguardDir } from '../services/guard.mjs';
import { startProcess } from '../services/processes.mjs';
import { findOrInstallRedis } from '../services/redis.mjs';
import { runLogged } from '../services/run.mjs';
import { temporaryDir } from '../services/test-services.mjs';
import { makeDataDir, PlainError, root } from '../workspace.mjs';
import { clusterSettings, makeCluster } from './cluster.mjs';
import { readOptions } from './options.mjs';
import { toTable } from './table.mjs';

const project = join(root, 'apps/api-e2e');
const tests = join(project, 'src/faults');

/**
 * `npm run test:faults`: runs all tests, then prints one table over all of them, even after failures.
 * @param {string[]} args
 */
export async function testFaults(args) {
  const options = readOptions(args);
  if (!options) return;
  const logs = join(makeDataDir(), 'logs', `faults-${process.pid}`);
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const dir = temporaryDir({ isInMemory: true });
  guardDir(dir);
  const report = join(logs, 'report.jsonl');
  try {
    if (!options.isBuilt) await build(join(logs, 'build.log'));
    const setting = {
      ...options,
      dir,
      logs,
      report,
      cluster: join(dir, 'cluster'),
      clusterSettings,
      password: randomBytes(18).toString('base64url'),
      token: `ats_FaultTests_${randomBytes(32).toString('base64url')}`,
      redisCommand: await findOrInstallRedis({ logFile: join(logs, 'install.log'), say: console.log }),
    };
    await makeCluster({
      dir: setting.cluster,
      password: setting.password,
      token: setting.token,
      logFile: join(logs, 'cluster.log'),
    });
    process.exitCode = await runJest(setting);
  } finally {
    rmSync(dir, { recursive: true, force: true });
    unguardDir(dir);
    if (existsSync(report))
      console.log(
        '\n' +
          toTable(
            readFileSync(report, 'utf8')
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line)),
          ),
      );
    console.log(`logs: ${logs}`);
  }
}

/** Builds the apps. @param {string} logFile */
async function build(logFile) {
  const args = ['node_modules/.bin/nx', 'run-many', '-t', 'build', '-p', '@ats/api', '@ats/notifier'];
  const { ok, tail } = await runLogged({
    command: process.execPath,
    args,
    cwd: root,
    env: { ...process.env, FORCE_COLOR: '0' },
    logFile,
  });
  if (!ok) throw new PlainError(`${tail}\n\nthe apps could not be built, see ${logFile}`);
}

/**
 * Runs the fault tests in Jest.
 * @param {import('./options.mjs').Options & object} setting the tests read it from the variable FAULT_TESTS
 */
async function runJest(setting) {
  // Fast tests mostly wait, so two run in parallel. A full run measures times, so its tests run one at a time.
  const workers = setting.isFast ? '--maxWorkers=2' : '--runInBand';
  const running = await startProcess({
    name: 'jest',
    command: process.execPath,
    args: [
      join(root, 'node_modules/jest/bin/jest.js'),
      '-c',
      'jest.faults.config.mjs',
      workers,
      '--runTestsByPath',
      ...chosenFiles(setting),
    ],
    cwd: project,
    env: { ...process.env, FORCE_COLOR: '0', FAULT_TESTS: JSON.stringify(setting) },
    stopGroup: true,
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => void running.stop());
  const { code } = await running.exited;
  return code ?? 1;
}

/**
 * Chooses the test files by the options `--only`, `--fast` and `--modes`. The tests in a file are chosen by the same
 * rule.
 * @param {import('./options.mjs').Options} options
 */
function chosenFiles({ isFast, only, modes }) {
  const files = readdirSync(tests)
    .filter((file) => /^\d\d-.*\.fault-spec\.ts$/.test(file))
    .map((file) => join(tests, file));
  const numberOf = (/** @type {string} */ file) => Number(basename(file).slice(0, 2));
  const chosen = files.filter(
    (file) => only?.includes(numberOf(file)) ?? (!isFast || readFileSync(file, 'utf8').includes('isFast: true')),
  );
  const inModes = chosen.filter(
    (file) => modes.includes('plain') || readFileSync(file, 'utf8').includes('isInAllModes: true'),
  );
  if (inModes.length === 0) throw new PlainError('the given options leave no fault test to run');
  return inModes;
}
