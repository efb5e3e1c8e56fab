// @ts-check
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<number | undefined>} the port that was bound for a moment, undefined when it is taken
 */
function tryToBind(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (['EADDRINUSE', 'EACCES'].includes(error.code ?? '')) resolve(undefined);
      // A machine without IPv6 says this about `::`.
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
 * Whether nobody listens on the port, on any address.
 * @param {number} port
 */
export async function isFree(port) {
  for (const host of ['127.0.0.1', '0.0.0.0', '::']) if ((await tryToBind(port, host)) === undefined) return false;
  return true;
}

/** Below those that systems give to connections by themselves: a port that one of them has just taken would not be free any more. */
const [LOWEST, HIGHEST] = [12_000, 30_000];

/**
 * A port that is free at the moment.
 * @param {number} [preferred] taken when it is free (the one of the last run)
 * @returns {Promise<number>}
 */
export async function freePort(preferred = randomInt(LOWEST, HIGHEST)) {
  return (await isFree(preferred)) ? preferred : freePort();
}
