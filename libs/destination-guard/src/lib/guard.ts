import { createDnsResolver } from './dns-resolver.js';
import { checkDestinationUrl } from './destination-url.js';
import { type Networks } from './networks.js';
import { createOwnAddresses } from './own-addresses.js';
import { type Resolve, resolveWithHost } from './resolve.js';
import { vetDestination, type VetOptions, type VettedDestination } from './vet-destination.js';

export interface GuardSettings {
  /** Accept `http://` beside `https://`. */
  readonly allowHttp: boolean;
  /** Accept private addresses, local names and the hosts file: development alone. */
  readonly allowPrivate: boolean;
  /** Networks accepted although they are not public. */
  readonly allowed?: Networks | undefined;
  /** Networks refused although they are public. */
  readonly refused?: Networks | undefined;
  /** `address` or `address:port` of the name servers to ask instead of the machine's. */
  readonly nameServers?: readonly string[] | undefined;
  /** Asked instead of any name server: for tests. */
  readonly resolve?: Resolve | undefined;
}

/** How long a name may take. Source: NOTIFIER.md 2. */
const RESOLVE_MS = 3_000;
/** A little more, so that the resolver can still say whose fault it is. */
const RESOLVE_AT_MOST_MS = 3_200;

/** One set of rules for every moment at which a destination is looked at: when it is written, and before each call. */
export class DestinationGuard {
  private readonly options: VetOptions;

  constructor({ nameServers, resolve, ...rules }: GuardSettings) {
    const readsHostsFile = rules.allowPrivate && nameServers === undefined;
    const byRules = readsHostsFile
      ? resolveWithHost
      : createDnsResolver({ timeoutMs: RESOLVE_MS, servers: nameServers });
    this.options = {
      ...rules,
      resolve: resolve ?? byRules,
      timeoutMs: RESOLVE_AT_MOST_MS,
      ownAddresses: createOwnAddresses(),
    };
  }

  /** By the text alone. @throws {DestinationRefusedError} */
  check(text: string): URL {
    return checkDestinationUrl(text, this.options);
  }

  /** By the addresses of its name too. @throws {DestinationRefusedError} or {@link DestinationUnresolvedError} */
  vet(text: string): Promise<VettedDestination> {
    return vetDestination(text, this.options);
  }
}
