import { type SocketAddress } from 'node:net';
import { Networks, parseAddress, unmapped } from './networks.js';

export interface AddressRules {
  /** Accept loopback, private, shared and link-local addresses too: development alone. */
  readonly allowPrivate: boolean;
  /** Networks accepted although they are not public: tests and private installs. */
  readonly allowed?: Networks | undefined;
  /** Networks refused although they are public: where the service itself goes out, and what stands before it. */
  readonly refused?: Networks | undefined;
  /** The machine's own addresses, asked for each time: some come while a process runs. */
  readonly ownAddresses?: (() => readonly string[]) | undefined;
}

/** Where clouds answer whoever asks from inside with credentials or settings: refused whatever is allowed. */
const METADATA = Networks.of(
  '169.254.169.0/24', // AWS, Google, Azure, and most others
  '169.254.170.0/24', // AWS containers
  '169.254.42.42/32', // Scaleway
  '169.254.0.23/32', // Tencent
  '100.100.100.200/32', // Alibaba
  '192.0.0.192/32', // Oracle
  '168.63.129.16/32', // Azure, a public address that ends in the host
  'fd00:ec2::/32', // AWS
  'fd20:ce::254/128', // Google
  'fd00:42::42/128', // Scaleway
  'fe80::a9fe:a9fe/128', // OpenStack
);
/** What no destination can have: unspecified, multicast, reserved. Refused whatever is allowed. */
const IMPOSSIBLE = Networks.of('0.0.0.0/8', '224.0.0.0/3', '::/128', 'ff00::/8');
/** Forms that carry an IPv4 address (compatible, mapped, translated, Teredo, 6to4), so that allowing them would allow any. */
const EMBEDDING = Networks.of('::/8', '2001::/32', '2002::/16');
const LOOPBACK_V6 = Networks.of('::1/128');
/** Not public, and given back by `allowPrivate`. */
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
/** All that can be public; whatever IPv6 lies outside (mapped, translated, unique local, …) falls by itself. */
const GLOBAL = Networks.of('0.0.0.0/0', '2000::/3');
/** Inside it: protocol assignments, documentation, benchmarks, relays, and IPv6 that carries an IPv4 address. */
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
 * Whether a notification may be sent to this address.
 * @param text an IPv4 or IPv6 literal without brackets; anything else is refused
 * Source: CONTRACT.md 8; the IANA special-purpose registries of RFC 6890.
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
