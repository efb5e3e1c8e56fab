// @ts-check
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Binds a port for a moment.
 * @param {number} port
 * @param {string} host
 * @returns {Promise<number | undefined>} the bound port, or undefined when the port is taken
 */
function tryToBind(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (['EADDRINUSE', 'EACCES'].includes(error.code ?? '')) resolve(undefined);
      // A machine without IPv6 reports these errors for `::`. The port then counts as free.
      else if (['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(error.code ?? '')) resolve(port);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}

/**
 * Returns true when no process listens on the port on any address.
 * @param {number} port
 */
export async function isFree(port) {
  for (const host of ['127.0.0.1', '0.0.0.0', '::']) if ((await tryToBind(port, host)) === undefined) return false;
  return true;
}

/**
 * The range of ports to choose from. It is below the ephemeral range, because the system may give an ephemeral port to
 * a connection at any time.
 */
const [LOWEST, HIGHEST] = [12_000, 30_000];

/**
 * Finds a port that is free at the moment.
 * @param {number} [preferred] a port to return when it is free, such as the port of the last run
 * @returns {Promise<number>}
 */
export async function freePort(preferred = randomInt(LOWEST, HIGHEST)) {
  return (await isFree(preferred)) ? preferred : freePort();
}
