import { isIP } from 'node:net';
import { isAllowedAddress } from './address.js';
import { checkDestinationUrl, type DestinationRules, hostOf } from './destination-url.js';
import { DestinationRefusedError, DestinationUnresolvedError } from './errors.js';
import { type Resolve } from './resolvers.js';

export interface VetOptions extends DestinationRules {
  readonly resolve: Resolve;
  /** How long the resolver may take in all. */
  readonly timeoutMs: number;
  /** Addresses refused whatever their kind: the machine's own. */
  readonly refusedAddresses?: readonly string[];
}

/**
 * Checks a destination and resolves its name once. The caller must connect to one of the returned addresses and to no
 * other: a name that is resolved again may answer differently.
 * @returns the URL, and its addresses in a stable order
 * @throws {DestinationRefusedError} also when only one of several addresses is forbidden
 * @throws {DestinationUnresolvedError} when there is no address, or no answer in time
 * Source: CONTRACT.md 8.
 */
export async function vetDestination(text: string, options: VetOptions): Promise<{ url: URL; addresses: readonly string[] }> {
  const url = checkDestinationUrl(text, options);
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await resolveInTime(host, options) : [host];
  if (addresses.length === 0) throw new DestinationUnresolvedError(false);
  const rules = { allowPrivate: options.allowPrivate, refused: options.refusedAddresses ?? [] };
  if (!addresses.every((address) => isAllowedAddress(address, rules))) throw new DestinationRefusedError('address');
  return { url, addresses: [...new Set(addresses)].sort() };
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
