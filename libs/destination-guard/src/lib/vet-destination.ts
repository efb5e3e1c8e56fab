import { isIP } from 'node:net';
import { isAllowedAddress } from './address.js';
import { checkDestinationUrl, type DestinationRules, hostOf } from './destination-url.js';
import { DestinationRefusedError, DestinationUnresolvedError } from './errors.js';
import { type Resolve } from './resolve.js';

export interface VetOptions extends DestinationRules {
  readonly resolve: Resolve;
  /** Maximum time in ms to wait for `resolve`. */
  readonly timeoutMs: number;
}

/** A URL to which a request may be sent, with its addresses. */
export interface VettedDestination {
  /** The URL that was checked. */
  readonly url: URL;
  /** The addresses to which connections may go. Their order is stable. */
  readonly addresses: readonly string[];
}

/**
 * Maximum number of addresses that are used. Further ones are ignored, because no real host name has so many, and
 * checking a very long answer would take too long.
 */
const MAX_ADDRESSES = 32;

/**
 * Checks a destination and resolves its host name once. The caller must connect only to one of the returned addresses:
 * resolving the name again may give another answer.
 * @throws {DestinationRefusedError} when the URL or any of the addresses is refused
 * @throws {DestinationUnresolvedError} when there is no address, or no answer in time
 * Source: docs/reference/destinations.md.
 */
export async function vetDestination(text: string, options: VetOptions): Promise<VettedDestination> {
  const url = checkDestinationUrl(text, options);
  const host = hostOf(url);
  if (isIP(host) !== 0) return { url, addresses: [host] };
  const addresses = [...new Set(await resolveInTime(host, options))].slice(0, MAX_ADDRESSES).sort();
  if (addresses.length === 0) throw new DestinationUnresolvedError(false);
  if (!addresses.every((address) => isAllowedAddress(address, options))) throw new DestinationRefusedError('address');
  return { url, addresses };
}

async function resolveInTime(host: string, { resolve, timeoutMs }: VetOptions): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DestinationUnresolvedError(true)), timeoutMs);
  });
  try {
    return await Promise.race([resolve(host), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
