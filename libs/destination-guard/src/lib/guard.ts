import { createDnsResolver } from './dns-resolver.js';
import { checkDestinationUrl } from './destination-url.js';
import { type Networks } from './networks.js';
import { createOwnAddresses } from './own-addresses.js';
import { type Resolve, resolveWithHost } from './resolve.js';
import { vetDestination, type VetOptions, type VettedDestination } from './vet-destination.js';

/** Options of a `DestinationGuard`. */
export interface GuardSettings {
  /** True to accept `http://` beside `https://`. */
  readonly allowHttp: boolean;
  /** True to accept private addresses, local names and the hosts file. For development only. */
  readonly allowPrivate: boolean;
  /** Networks that are accepted although they are not public. */
  readonly allowed?: Networks | undefined;
  /** Networks that are refused although they are public. */
  readonly refused?: Networks | undefined;
  /** Name servers in the form `address` or `address:port`. Defaults to the name servers of the machine. */
  readonly nameServers?: readonly string[] | undefined;
  /** Resolves host names in place of the name servers, in tests. */
  readonly resolve?: Resolve | undefined;
}

/** Time limit in ms for resolving a host name. Source: docs/reference/destinations.md. */
const RESOLVE_MS = 3_000;
/**
 * Time in ms for which the guard waits for the resolver. It is longer than `RESOLVE_MS`, so that the resolver can still
 * report the cause of a failure: itself, or the name server of the destination.
 */
const RESOLVE_AT_MOST_MS = 3_200;

/** Checks destinations by one set of rules. Apps call it when a subscription is written, and before each attempt. */
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

  /**
   * Checks a URL without resolving its host name.
   * @throws {DestinationRefusedError} when a rule forbids the URL
   */
  check(text: string): URL {
    return checkDestinationUrl(text, this.options);
  }

  /**
   * Checks a URL and the addresses of its host name.
   * @throws {DestinationRefusedError} when the service must not send requests there
   * @throws {DestinationUnresolvedError} when no name server answers, or the name has no address
   */
  vet(text: string): Promise<VettedDestination> {
    return vetDestination(text, this.options);
  }
}
