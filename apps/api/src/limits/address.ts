import { type FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Bytes of the network part of an IPv6 address. A client usually controls all addresses of its /64 network. */
const NETWORK_BYTES = 8;

const UNKNOWN = 'unknown';

/**
 * Returns the IP address of a client. Fastify takes it from the nearest hop that is not a trusted proxy. When a proxy
 * forwards a text that is not an IP address, this is the address of the proxy.
 */
export const addressOf = ({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string =>
  [ip, socket.remoteAddress].find((address): address is string => address !== undefined && ipaddr.isValid(address)) ??
  UNKNOWN;

/**
 * Returns the network for which the limits count a request: an IPv4 address, or the /64 network of an IPv6 address.
 * Fastify takes the IP address from the nearest hop that is not a trusted proxy. When a proxy forwards a text that is
 * not an IP address, the request counts for the proxy.
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
