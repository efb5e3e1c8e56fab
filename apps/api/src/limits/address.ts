import { type FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Number of bytes of the network part of an IPv6 address. A client usually has all addresses of its /64 network. */
const NETWORK_BYTES = 8;

const UNKNOWN = 'unknown';

/**
 * Returns the IP address of a client. It is the address of the nearest hop that is no trusted proxy. When a proxy
 * forwards a text that is no IP address, it is the address of the proxy.
 */
export const addressOf = ({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string =>
  [ip, socket.remoteAddress].find((address): address is string => address !== undefined && ipaddr.isValid(address)) ??
  UNKNOWN;

/**
 * Returns the network for which the limits count a request: an IPv4 address, or the /64 network of an IPv6 address. The
 * address is the one that `addressOf` returns.
 */
export function networkOf(request: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const text = addressOf(request);
  if (text === UNKNOWN) return UNKNOWN;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  const prefix = address.toByteArray().slice(0, NETWORK_BYTES);
  const network = ipaddr.fromByteArray([...prefix, ...Array.from({ length: NETWORK_BYTES }, () => 0)]);
  return `${network.toString()}/64`;
}
