import { Networks, NetworkSyntaxError, parseAddress, unmapped } from '@ats/destination-guard';
import { message, packed } from '@ats/message';
import { z } from 'zod';

const partsOf = (network: string): readonly [start: string, length: number] => {
  const [start = '', length] = network.split('/');
  return [start, Number(length)];
};

/** The schema of a network such as `203.0.113.0/24` or `2001:db8::/32`. A single address has the length 32 or 128. */
export const networkSchema = z.string().refine(isNetwork, {
  error: packed(message`expected a network such as ${'203.0.113.0/24'} or ${'2001:db8::/32'}`),
});

function isNetwork(text: string): boolean {
  try {
    Networks.of(text);
  } catch (error) {
    if (error instanceof NetworkSyntaxError) return false;
    throw error;
  }
  // Refuses networks in the form of IPv4-mapped addresses, such as `::ffff:10.0.0.0/104`. IPv4-mapped client addresses
  // are compared in their IPv4 form, so such a network would include no client address.
  const address = parseAddress(partsOf(text)[0]);
  return address !== null && unmapped(address) === address;
}

/**
 * True when one of the networks includes the whole given network. An empty list includes every network.
 * @param network,networks  valid networks
 */
export function isInsideNetworks(network: string, networks: readonly string[]): boolean {
  const [start, length] = partsOf(network);
  const address = parseAddress(start);
  if (networks.length === 0) return true;
  return networks.some(
    (other) => address !== null && length >= partsOf(other)[1] && Networks.of(other).includes(address),
  );
}

/**
 * Makes a check of client addresses against a list of networks.
 * @returns a function that is true for an IP address in one of the networks; undefined for an empty list
 */
export function addressCheck(networks: readonly string[]): ((address: string) => boolean) | undefined {
  if (networks.length === 0) return undefined;
  const allowed = Networks.of(...networks);
  return (text) => {
    // A link-local IPv6 address may end with `%` and the name of a network interface. That part is removed.
    const address = parseAddress(text.split('%')[0] ?? '');
    return address !== null && allowed.includes(unmapped(address));
  };
}
