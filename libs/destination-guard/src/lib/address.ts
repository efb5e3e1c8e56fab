import { type SocketAddress } from 'node:net';
import { Networks, parseAddress, unmapped } from './networks.js';

export interface AddressRules {
  /** True to accept loopback, private, shared and link-local addresses, too. For development only. */
  readonly allowPrivate: boolean;
  /** Networks that are accepted although they are not public, for tests and private installations. */
  readonly allowed?: Networks | undefined;
  /**
   * Networks that are refused although they are public, such as the egress addresses of the service and its load
   * balancers.
   */
  readonly refused?: Networks | undefined;
  /**
   * Returns the addresses of the machine itself, which are refused. It is called for each check, because a container
   * can get addresses while it runs.
   */
  readonly ownAddresses?: (() => readonly string[]) | undefined;
}

/**
 * Metadata services. They give credentials or settings of a cloud machine to every program on it. They are always
 * refused.
 */
const METADATA = Networks.of(
  '169.254.169.0/24', // AWS, Google, Azure and most other clouds
  '169.254.170.0/24', // AWS containers
  '169.254.42.42/32', // Scaleway
  '169.254.0.23/32', // Tencent
  '100.100.100.200/32', // Alibaba
  '192.0.0.192/32', // Oracle
  '168.63.129.16/32', // Azure: a public IP address at which the host of the virtual machine answers
  'fd00:ec2::/32', // AWS
  'fd20:ce::254/128', // Google
  'fd00:42::42/128', // Scaleway
  'fe80::a9fe:a9fe/128', // OpenStack
);
/** Unspecified, multicast and reserved IP addresses. No destination can have them. They are always refused. */
const IMPOSSIBLE = Networks.of('0.0.0.0/8', '224.0.0.0/3', '::/128', 'ff00::/8');
/**
 * IPv6 networks whose addresses contain an IPv4 address (compatible, mapped, translated, Teredo, 6to4). Allowing one of
 * these networks would allow every IPv4 address.
 */
const EMBEDDING = Networks.of('::/8', '2001::/32', '2002::/16');
const LOOPBACK_V6 = Networks.of('::1/128');
/** Private networks. They are accepted only when `allowPrivate` is true, or when `allowed` contains the address. */
const PRIVATE = Networks.of(
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
);
/**
 * All public addresses. IPv6 addresses outside `2000::/3` (mapped, translated, unique local and others) are not public.
 */
const GLOBAL = Networks.of('0.0.0.0/0', '2000::/3');
/**
 * Networks inside `GLOBAL` that are refused unless `allowed` contains the address: protocol assignments, documentation,
 * benchmarks, relays, and IPv6 addresses that contain an IPv4 address.
 */
const UNUSABLE = Networks.of(
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
);

/**
 * Returns true when a notification may be sent to this address.
 * @param text an IPv4 or IPv6 literal without brackets; anything else is refused
 * Source: docs/reference/destinations.md; the IANA special-purpose registries of RFC 6890.
 */
export function isAllowedAddress(text: string, rules: AddressRules): boolean {
  const written = parseAddress(text);
  if (written === null) return false;
  const address = unmapped(written);
  if (METADATA.includes(address) || IMPOSSIBLE.includes(address) || rules.refused?.includes(address)) return false;
  if (rules.allowed?.includes(written) && !carriesAnother(written)) return true;
  if (PRIVATE.includes(address)) return rules.allowPrivate;
  if (UNUSABLE.includes(address) || !GLOBAL.includes(rules.allowPrivate ? address : written)) return false;
  return rules.allowPrivate || !isOwn(address, rules);
}

const carriesAnother = (address: SocketAddress): boolean =>
  EMBEDDING.includes(address) && !LOOPBACK_V6.includes(address);

const isOwn = ({ address }: SocketAddress, { ownAddresses }: AddressRules): boolean =>
  (ownAddresses?.() ?? []).some((own) => parseAddress(own)?.address === address);
