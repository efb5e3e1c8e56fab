import { lookup } from 'node:dns/promises';
import { DestinationUnresolvedError } from './errors.js';

/** Returns all addresses of a host name, at least one. Rejects with {@link DestinationUnresolvedError}. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Error codes for a name or record that does not exist. The failure is then the destination's, not the resolver's. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EAI_NONAME', 'EAI_NODATA']);

export const isNoAddress = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && NO_ADDRESS.has(String(error.code));

/** Resolves names with the operating system, which also reads the hosts file. For development with local names. */
export const resolveWithHost: Resolve = async (hostname) => {
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  } catch (error) {
    throw new DestinationUnresolvedError(!isNoAddress(error));
  }
};
