import { lookup } from 'node:dns/promises';
import { DestinationUnresolvedError } from './errors.js';

/**
 * Returns all addresses of a host name, at least one. It rejects with {@link DestinationUnresolvedError} when there is
 * none.
 */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Error codes with which a working resolver says that a name does not exist or has no address. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EAI_NONAME', 'EAI_NODATA']);

export const isNoAddress = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && NO_ADDRESS.has(String(error.code));

/** Resolves host names with the operating system, which also reads the hosts file. For development with local names. */
export const resolveWithHost: Resolve = async (hostname) => {
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  } catch (error) {
    throw new DestinationUnresolvedError(!isNoAddress(error));
  }
};
