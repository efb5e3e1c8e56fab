import { BlockList, isIP } from 'node:net';

export interface AddressRules {
  /** Accept loopback, private, shared and link-local addresses too: development alone. */
  readonly allowPrivate: boolean;
  /** Addresses refused whatever their kind: the machine's own. */
  readonly refused?: readonly string[];
}

type Subnet = readonly [network: string, prefix: number];

/** IPv4 that is not public, and that `allowPrivate` gives back. */
const PRIVATE_V4: readonly Subnet[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
];
/** IPv4 that no one has a server on: "this" network, protocol assignments, documentation, benchmarks, multicast, reserved. */
const UNUSABLE_V4: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** All of IPv6 that is in public use; whatever lies outside (mapped, translated, unique local, …) falls by itself. */
const GLOBAL_V6: readonly Subnet[] = [['2000::', 3]];
/** Inside it: protocol assignments with Teredo, documentation, and 6to4, which carries an IPv4 address. */
const UNUSABLE_V6: readonly Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];
const PRIVATE_V6: readonly Subnet[] = [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
];
/** Where clouds hand credentials to whoever asks: refused in development too. */
const METADATA = ['169.254.169.254', '169.254.170.2', '169.254.170.23', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd00:ec2::23'];

const privateV4 = blockList('ipv4', PRIVATE_V4);
const unusableV4 = blockList('ipv4', UNUSABLE_V4);
const globalV6 = blockList('ipv6', GLOBAL_V6);
const unusableV6 = blockList('ipv6', UNUSABLE_V6);
const privateV6 = blockList('ipv6', PRIVATE_V6);
const metadata = addressList(METADATA);

/**
 * Whether a notification may be sent to this address.
 * @param address an IPv4 or IPv6 literal without brackets; anything else is refused
 * Source: CONTRACT.md 8.
 */
export function isAllowedAddress(address: string, { allowPrivate, refused = [] }: AddressRules): boolean {
  const folded = foldMapped(address);
  if (isMetadataAddress(folded)) return false;
  switch (isIP(folded)) {
    case 4:
      if (unusableV4.check(folded)) return false;
      if (privateV4.check(folded)) return allowPrivate;
      break;
    case 6:
      if (privateV6.check(folded, 'ipv6')) return allowPrivate;
      // A mapped address was folded only to be judged in development: in production the form itself is refused.
      if (!globalV6.check(folded, 'ipv6') || unusableV6.check(folded, 'ipv6')) return false;
      break;
    default:
      return false;
  }
  if (folded !== address && !allowPrivate) return false;
  return allowPrivate || !addressList(refused).check(folded, isIP(folded) === 4 ? 'ipv4' : 'ipv6');
}

/** Whether the address is one at which clouds serve instance credentials. */
export function isMetadataAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && metadata.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** `::ffff:127.0.0.1` and `::ffff:7f00:1` are the IPv4 address 127.0.0.1; other texts are returned as they are. */
function foldMapped(address: string): string {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (dotted) return dotted;
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const bits = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return bits.flatMap((group) => [group >> 8, group & 255]).join('.');
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}

function addressList(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const address of addresses) {
    const family = isIP(address);
    if (family !== 0) list.addAddress(address, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
