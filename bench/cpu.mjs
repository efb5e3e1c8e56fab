import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Duration of a tick of /proc/<pid>/stat in ms. */
const TICK_MS =
  process.platform === 'linux' ? 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : NaN;

/** Reads the fields behind the process name, which may contain spaces. The first is field 3 of the file, the state. */
function readStat(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const parentOf = (pid) => Number(readStat(pid)[1]);

/** Reads the CPU time of a process in ms; `withEnded` adds that of its ended child processes. */
function cpuMs(pid, { withEnded = false } = {}) {
  const [user, system, endedUser, endedSystem] = readStat(pid).slice(11, 15).map(Number);
  return (user + system + (withEnded ? endedUser + endedSystem : 0)) * TICK_MS;
}

/** Returns a function that reads the CPU time of a process in ms. */
export const processMeter = (pid) => () => (process.platform === 'linux' ? cpuMs(pid) : NaN);

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
    cpuMs(postmaster, { withEnded: true }) +
    childrenOf(postmaster).reduce((total, pid) => total + orNothing(() => cpuMs(pid)), 0);
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
