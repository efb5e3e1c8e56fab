import { isIP } from 'node:net';
import { isAllowedAddress } from './address.js';
import { checkDestinationUrl, type DestinationRules, hostOf } from './destination-url.js';
import { DestinationRefusedError, DestinationUnresolvedError } from './errors.js';
import { type Resolve } from './resolve.js';

export interface VetOptions extends DestinationRules {
  readonly resolve: Resolve;
  /** How long the resolver may take in all. */
  readonly timeoutMs: number;
}

export interface VettedDestination {
  readonly url: URL;
  /** Where connections may go, in a stable order. */
  readonly addresses: readonly string[];
}

/** More than any real name has: an answer that is stuffed with addresses costs no more than this. */
const MAX_ADDRESSES = 32;

/**
 * Checks a destination and resolves its name once. The caller must connect to one of the returned addresses and to no
 * other: a name that is resolved again may answer differently.
 * @throws {DestinationRefusedError} also when only one of several addresses is forbidden
 * @throws {DestinationUnresolvedError} when there is no address, or no answer in time
 * Source: CONTRACT.md 8.
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
