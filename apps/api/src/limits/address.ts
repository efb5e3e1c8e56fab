import { type FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Bytes of an IPv6 address that tell one network from another: whoever has one address of a /64 has them all. */
const NETWORK_BYTES = 8;

/**
 * Who a request counts for: an IPv4 address, or the /64 of an IPv6 address. It is the last one that no trusted proxy stands for; what is
 * no address at all comes from a proxy that passes on what it was sent, and then the proxy itself counts.
 */
export function networkOf({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const text = [ip, socket.remoteAddress].find(
    (address): address is string => address !== undefined && ipaddr.isValid(address),
  );
  if (text === undefined) return 'unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.fromByteArray([...address.toByteArray().slice(0, NETWORK_BYTES), ...Array.from({ length: NETWORK_BYTES }, () => 0)]).toString()}/64`;
}
