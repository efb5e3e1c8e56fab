import { Resolver } from 'node:dns/promises';
import { DestinationUnresolvedError } from './errors.js';
import { isNoAddress, type Resolve } from './resolve.js';

export interface DnsResolverOptions {
  /**
   * Time limit for one host name in ms. When no IP address has arrived one second before this limit, another query
   * tests whether the resolver works.
   */
  readonly timeoutMs: number;
  /** Name servers in the form `address` or `address:port`. Defaults to the name servers of the machine. */
  readonly servers?: readonly string[] | undefined;
}

/**
 * Parses a list of name servers.
 * @param text `address`, `address:port` or `[address]:port`, separated by commas
 * @throws {TypeError} when a part has another form
 */
export function parseNameServers(text: string): readonly string[] {
  const servers = text.split(',').map((part) => part.trim());
  new Resolver().setServers(servers);
  return servers;
}

/** Options of a DNS query. A query without an answer is repeated well before `timeoutMs`, because packets get lost. */
const QUERY = { timeout: 1_000, tries: 2 };
/**
 * Maximum wait in ms for the second answer (A or AAAA) after the first one gave an address. Some name servers never
 * answer AAAA queries.
 */
const OTHER_FAMILY_MS = 500;
const PROBE_MS = 1_000;

/**
 * Creates a resolver that queries A and AAAA records. It does not use the thread pool, so slow names do not delay other
 * work.
 */
export function createDnsResolver({ timeoutMs, servers }: DnsResolverOptions): Resolve {
  const resolver = new Resolver(QUERY);
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    let isWorking: Promise<boolean> | undefined;
    const queries = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
    const { addresses, isCertain } = await collect(queries, timeoutMs, () => {
      isWorking = answersAtAll(resolver);
    });
    if (addresses.length > 0) return addresses;
    throw new DestinationUnresolvedError(!isCertain && !(await (isWorking ?? answersAtAll(resolver))));
  };
}

/**
 * Collects the addresses in the answers to the queries for one name. `isCertain` is true when every query was answered.
 * @param onSlow  called a second before the time limit when no address has arrived
 */
function collect(
  queries: readonly Promise<readonly string[]>[],
  timeoutMs: number,
  onSlow?: () => void,
): Promise<{ readonly addresses: readonly string[]; readonly isCertain: boolean }> {
  return new Promise((resolve) => {
    const addresses: string[] = [];
    let open = queries.length;
    let isAnswered = true;
    const timers: NodeJS.Timeout[] = [];
    const end = (): void => {
      for (const timer of timers) clearTimeout(timer);
      resolve({ addresses: [...addresses], isCertain: isAnswered && open === 0 });
    };
    timers.push(setTimeout(end, timeoutMs));
    if (onSlow) timers.push(setTimeout(() => addresses.length === 0 && onSlow(), Math.max(0, timeoutMs - PROBE_MS)));
    for (const query of queries) {
      const answered = query.then(
        (records) => void addresses.push(...records),
        (error) => void (isAnswered &&= isNoAddress(error)),
      );
      void answered.then(() => {
        open -= 1;
        if (open === 0) end();
        else if (addresses.length > 0) timers.push(setTimeout(end, OTHER_FAMILY_MS));
      });
    }
  });
}

/**
 * Returns whether the resolver works. A query without an answer has two possible causes: the resolver, or the name
 * server of the queried domain. Every working resolver answers a query for the root. Without this test, the broken
 * domain of a client would count as a failure of this service and be retried forever.
 */
async function answersAtAll(resolver: Resolver): Promise<boolean> {
  const { isCertain, addresses } = await collect([resolver.resolveNs('.')], PROBE_MS);
  return isCertain || addresses.length > 0;
}
