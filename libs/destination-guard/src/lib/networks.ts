import { BlockList, isIP, SocketAddress } from 'node:net';

/** A parsed IP address, or null for a text that is not an IP address. */
export type Address = SocketAddress | null;

/** The error for a text that is not a list of networks. Its message quotes the wrong part. */
export class NetworkSyntaxError extends Error {
  /** The part of the text that is not a network. */
  readonly part: string;

  constructor(part: string) {
    super(`expected networks such as 10.20.0.0/16 or fd12:3456::/32, separated by commas, found "${part}"`);
    this.part = part;
    this.name = 'NetworkSyntaxError';
  }
}

/**
 * A set of networks. IPv4 and IPv6 have separate lists, because a `BlockList` with 10.0.0.1 would also contain
 * `::ffff:10.0.0.1`.
 */
export class Networks {
  private readonly lists = { ipv4: new BlockList(), ipv6: new BlockList() };

  /**
   * Makes a set of the given networks.
   * @param networks  such as `10.20.0.0/16`
   * @throws {NetworkSyntaxError} when a text is not a network
   */
  static of(...networks: readonly string[]): Networks {
    const result = new Networks();
    for (const network of networks) result.add(network);
    return result;
  }

  /**
   * Reads networks that are separated by commas.
   * @param text networks separated by commas
   * @throws {NetworkSyntaxError} when a part is not a network
   */
  static parse(text: string): Networks {
    return Networks.of(...text.split(',').map((part) => part.trim()));
  }

  /** True when a network contains the address. */
  includes(address: SocketAddress): boolean {
    return this.lists[address.family === 'ipv4' ? 'ipv4' : 'ipv6'].check(address);
  }

  private add(network: string): void {
    const [, start = '', length = ''] = /^([0-9a-fA-F:.]+)\/(\d{1,3})$/.exec(network) ?? [];
    const family = isIP(start);
    if (family === 0 || Number(length) > (family === 4 ? 32 : 128)) throw new NetworkSyntaxError(network);
    this.lists[family === 4 ? 'ipv4' : 'ipv6'].addSubnet(start, Number(length), family === 4 ? 'ipv4' : 'ipv6');
  }
}

/**
 * Parses an IP address.
 * @param text an IPv4 or IPv6 literal without brackets and without a zone
 */
export function parseAddress(text: string): Address {
  const family = text.includes('%') ? 0 : isIP(text);
  return family === 0 ? null : new SocketAddress({ address: text, family: family === 4 ? 'ipv4' : 'ipv6' });
}

/** Converts the mapped forms `::ffff:127.0.0.1` and `::ffff:7f00:1` to IPv4. Other addresses are returned unchanged. */
export function unmapped(address: SocketAddress): SocketAddress {
  // `SocketAddress` always writes an IPv4-mapped address in the form `::ffff:127.0.0.1`.
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address.address)?.[1];
  return dotted === undefined ? address : new SocketAddress({ address: dotted, family: 'ipv4' });
}
