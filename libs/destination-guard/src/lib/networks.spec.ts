import { describe, expect, it } from '@jest/globals';
import { Networks, NetworkSyntaxError, parseAddress } from './networks.js';

const includes = (networks: Networks, text: string): boolean => {
  const address = parseAddress(text);
  if (address === null) throw new Error(`${text} is not an IP address`);
  return networks.includes(address);
};

describe('Networks', () => {
  it('are read from a list with commas', () => {
    const networks = Networks.parse('10.0.0.0/8, 192.168.1.7/32 ,fd00::/8');
    expect(['10.255.255.255', '192.168.1.7', 'fdff::1'].map((text) => includes(networks, text))).toEqual([
      true,
      true,
      true,
    ]);
    expect(['11.0.0.0', '192.168.1.6', 'fe00::1'].map((text) => includes(networks, text))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('can contain all IPv4 and all IPv6 addresses', () => {
    expect(['1.2.3.4', '2001::1'].map((text) => includes(Networks.parse('0.0.0.0/0,::/0'), text))).toEqual([
      true,
      true,
    ]);
  });

  it('keep IPv4 and mapped IPv6 addresses apart', () => {
    expect(includes(Networks.parse('10.0.0.0/8'), '::ffff:10.0.0.1')).toBe(false);
    expect(includes(Networks.parse('::ffff:0:0/96'), '10.0.0.1')).toBe(false);
  });

  it.each([
    '',
    'ten',
    '10.0.0.0',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0/8',
    'fd00::/129',
    'fe80::1%eth0/64',
    '10.0.0.0/8,',
    '10.0.0.0/8;11.0.0.0/8',
  ])('cannot be read from %j', (text) => {
    expect(() => Networks.parse(text)).toThrow(NetworkSyntaxError);
  });

  it('name the invalid part in the error', () => {
    expect(() => Networks.parse('10.0.0.0/8, 10.0.0.1/64')).toThrow('"10.0.0.1/64"');
  });
});
