import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { sum } from './measure.mjs';

/** Duration of a tick of /proc/<pid>/stat in ms. */
const TICK_MS =
  process.platform === 'linux' ? 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : NaN;

/** Reads the fields behind the process name, which may contain spaces. The first is field 3 of the file, the state. */
function readStat(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const parentOf = (pid) => Number(readStat(pid)[1]);

/**
 * Reads the CPU time of a process in ms. If the kernel counts nanoseconds for each thread, the time is exact, but it
 * does not include threads that have ended. Otherwise, the time is a whole number of ticks.
 */
function cpuMs(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return (
      sum(
        threads.map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])),
      ) / 1e6
    );
  } catch {
    const [user, system] = readStat(pid).slice(11, 13).map(Number);
    return (user + system) * TICK_MS;
  }
}

/** Reads the CPU time of the ended child processes of a process in ms. */
const endedMs = (pid) => sum(readStat(pid).slice(13, 15).map(Number)) * TICK_MS;

/** Returns a function that reads the CPU time of a process in ms. */
export const processMeter = (pid) => () => (process.platform === 'linux' ? cpuMs(pid) : NaN);

/**
 * Starts to measure several processes. Returns a function that reads the CPU time in ms that they have used since. A
 * process that has ended counts as 0.
 */
export function startMeter(pids) {
  const read = (pid) => orNothing(() => cpuMs(pid));
  const before = pids.map(read);
  return () => sum(pids.map((pid, index) => Math.max(0, read(pid) - before[index])));
}

/**
 * Returns a function that reads the CPU time of all PostgreSQL processes, including ended ones such as parallel
 * workers.
 * @param {number} backendPid process id of any session
 * @returns {() => number} milliseconds; NaN when the processes of the server are not visible
 */
export function postgresMeter(backendPid) {
  let postmaster;
  try {
    postmaster = parentOf(backendPid);
  } catch {
    return () => NaN;
  }
  return () =>
    cpuMs(postmaster) + endedMs(postmaster) + sum(childrenOf(postmaster).map((pid) => orNothing(() => cpuMs(pid))));
}

function childrenOf(parent) {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && orNothing(() => parentOf(name)) === parent);
}

/** Returns 0 when the reading fails: a process may end between being listed and being read. */
function orNothing(read) {
  try {
    return read();
  } catch {
    return 0;
  }
}
