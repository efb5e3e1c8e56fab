import { lookup } from 'node:dns/promises';
import { DestinationUnresolvedError } from './errors.js';

/** All addresses of a host name, at least one. Rejects with {@link DestinationUnresolvedError}. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** There is no such name or no such record: the destination's fault, not the resolver's. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EAI_NONAME', 'EAI_NODATA']);

export const isNoAddress = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && NO_ADDRESS.has(String(error.code));

/** Asks the operating system, which also reads its hosts file: for development, where destinations are local names. */
export const resolveWithHost: Resolve = async (hostname) => {
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  } catch (error) {
    throw new DestinationUnresolvedError(!isNoAddress(error));
  }
};
