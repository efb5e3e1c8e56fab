import { Resolver } from 'node:dns/promises';
import { DestinationUnresolvedError } from './errors.js';
import { isNoAddress, type Resolve } from './resolve.js';

export interface DnsResolverOptions {
  /** How long a name may take; in the last second of it the resolver is asked for something else too. */
  readonly timeoutMs: number;
  /** `address` or `address:port` of the name servers to ask instead of the machine's. */
  readonly servers?: readonly string[] | undefined;
}

/**
 * @param text `address`, `address:port` or `[address]:port`, separated by commas
 * @throws {TypeError} when one of them is none
 */
export function parseNameServers(text: string): readonly string[] {
  const servers = text.split(',').map((part) => part.trim());
  new Resolver().setServers(servers);
  return servers;
}

/** Packets get lost, so a query is sent again well before the name's time is up. */
const QUERY = { timeout: 1_000, tries: 2 };
/** How long the records of one family wait for those of the other: some name servers never answer for AAAA. */
const OTHER_FAMILY_MS = 500;
const PROBE_MS = 1_000;

/** Asks name servers for A and AAAA records. It does not use the thread pool, so that slow names delay nobody else. */
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
 * What the queries for one name bring in time. It is certain that there is nothing more when each of them was answered.
 * @param onSlow told when a second before the end nothing has come
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
 * A name whose own servers are dead looks like a resolver that is: neither answers. The root tells them apart, for every
 * resolver that works knows it. Without this a client's dead domain would be taken for a fault of ours, and tried for ever.
 */
async function answersAtAll(resolver: Resolver): Promise<boolean> {
  const { isCertain, addresses } = await collect([resolver.resolveNs('.')], PROBE_MS);
  return isCertain || addresses.length > 0;
}
