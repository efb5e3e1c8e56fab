import { lookup, Resolver } from 'node:dns/promises';
import { DestinationUnresolvedError } from './errors.js';

/** All addresses of a host name, at least one. Rejects with {@link DestinationUnresolvedError}. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** The name servers say that there is no such name or no such record: the destination's fault, not the resolver's. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EAI_NONAME', 'EAI_NODATA']);

/**
 * Asks the name servers for A and AAAA records. It does not use the thread pool, so that slow names delay nobody else.
 * @param timeoutMs for one query, with a single try
 */
export function createDnsResolver({ timeoutMs }: { readonly timeoutMs: number }): Resolve {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    throw new DestinationUnresolvedError(answers.some((answer) => answer.status === 'rejected' && !isNoAddress(answer.reason)));
  };
}

/** Asks the operating system, which also reads its hosts file: for development, where destinations are local names. */
export const resolveWithHost: Resolve = async (hostname) => {
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  } catch (error) {
    throw new DestinationUnresolvedError(!isNoAddress(error));
  }
};

function isNoAddress(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && NO_ADDRESS.has(String(error.code));
}
