import { createDnsResolver } from './dns-resolver.js';
import { checkDestinationUrl } from './destination-url.js';
import { type Networks } from './networks.js';
import { createOwnAddresses } from './own-addresses.js';
import { type Resolve, resolveWithHost } from './resolve.js';
import { vetDestination, type VetOptions, type VettedDestination } from './vet-destination.js';

/** Options of a `DestinationGuard`. */
export interface GuardSettings {
  /** Accepts `http://` besides `https://`. */
  readonly allowHttp: boolean;
  /** Accepts private addresses, local names and the hosts file. For development only. */
  readonly allowPrivate: boolean;
  /** Accepted networks that are not public. */
  readonly allowed?: Networks | undefined;
  /** Refused networks that are public. */
  readonly refused?: Networks | undefined;
  /** Name servers, as `address` or `address:port`. Defaults to those of the machine. */
  readonly nameServers?: readonly string[] | undefined;
  /** Replaces the name servers in tests. */
  readonly resolve?: Resolve | undefined;
}

/** Time limit for resolving a name. Source: docs/reference/destinations.md. */
const RESOLVE_MS = 3_000;
/**
 * Time limit with which the resolver is called. It is longer than `RESOLVE_MS`, so that the resolver has time to report
 * which of the two failed: the resolver or the name server of the destination.
 */
const RESOLVE_AT_MOST_MS = 3_200;

/**
 * Applies one set of rules whenever a destination is checked: when a subscription is written, and before each attempt.
 */
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

  /** Checks the URL without resolving its name. @throws {DestinationRefusedError} */
  check(text: string): URL {
    return checkDestinationUrl(text, this.options);
  }

  /**
   * Checks the URL and the addresses of its name. @throws {DestinationRefusedError} or {@link
   * DestinationUnresolvedError}
   */
  vet(text: string): Promise<VettedDestination> {
    return vetDestination(text, this.options);
  }
}
