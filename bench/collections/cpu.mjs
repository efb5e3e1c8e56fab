import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** How long a tick of /proc/<pid>/stat is. */
const TICK_MS =
  process.platform === 'linux' ? 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : NaN;

/** The fields behind the name, which may hold spaces: the first of them is field 3, the state. */
function readStat(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const parentOf = (pid) => Number(readStat(pid)[1]);

/** What a process has computed so far, in milliseconds. */
function cpuMs(pid, { withEnded = false } = {}) {
  const [user, system, endedUser, endedSystem] = readStat(pid).slice(11, 15).map(Number);
  return (user + system + (withEnded ? endedUser + endedSystem : 0)) * TICK_MS;
}

/** A meter of one process. */
export const processMeter = (pid) => () => (process.platform === 'linux' ? cpuMs(pid) : NaN);

/**
 * A meter of PostgreSQL as a whole: all its processes, and those that have ended, such as parallel workers.
 * @param {number} backendPid of any session
 * @returns {() => number} milliseconds; not a number where the server's processes cannot be seen from here
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

/** A process may end between being listed and being read. */
function orNothing(read) {
  try {
    return read();
  } catch {
    return 0;
  }
}
