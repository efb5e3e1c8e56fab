import { describe, expect, it } from '@jest/globals';
import { type FastifyRequest } from 'fastify';
import { networkOf } from './address.js';

const of = (ip: string, remoteAddress?: string): string =>
  networkOf({ ip, socket: { remoteAddress } as FastifyRequest['socket'] });

describe('the network that a request is counted for', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
  ])('for the address %s is %s', (ip, network) => {
    expect(of(ip)).toBe(network);
  });

  it.each(['unknown', '203.0.113.7:4711', '[2001:db8::1]:80', '', 'a'.repeat(300), '\u0000'])(
    'is the address of the proxy when the proxy forwards %j instead of an address',
    (ip) => {
      expect(of(ip, '10.0.0.1')).toBe('10.0.0.1');
      expect(of(ip)).toBe('unknown');
    },
  );
});
