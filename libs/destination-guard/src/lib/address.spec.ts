import { describe, expect, it } from '@jest/globals';
import {
  EMBEDDED_ADDRESSES,
  FORBIDDEN_RANGES,
  METADATA_ADDRESSES,
  NO_ADDRESSES,
  PUBLIC_ADDRESSES,
} from '../../test/addresses.js';
import { type AddressRules, isAllowedAddress } from './address.js';
import { Networks } from './networks.js';

const strict: AddressRules = { allowPrivate: false };
const development: AddressRules = { allowPrivate: true };
const everything: AddressRules = { allowPrivate: false, allowed: Networks.of('0.0.0.0/0', '::/0') };

describe('isAllowedAddress', () => {
  it.each(FORBIDDEN_RANGES)(
    'refuses $range from its first address to its last, and not the addresses before and after it',
    ({ before, first, last, after }) => {
      const verdicts = [before, first, last, after].map((address) =>
        address === undefined ? undefined : isAllowedAddress(address, strict),
      );
      expect(verdicts).toEqual([before && true, false, false, after && true]);
    },
  );

  it.each([...EMBEDDED_ADDRESSES])('refuses an IPv4 address embedded in IPv6: %s, %s', (_, address) => {
    expect(isAllowedAddress(address, strict)).toBe(false);
  });

  it.each([...METADATA_ADDRESSES])('refuses %s under all rules', (address) => {
    expect([strict, development, everything].map((rules) => isAllowedAddress(address, rules))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it.each([...NO_ADDRESSES])('refuses %j, which is not an address', (text) => {
    expect([strict, development, everything].map((rules) => isAllowedAddress(text, rules))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it.each([...PUBLIC_ADDRESSES])('allows the address %s', (address) => {
    expect([strict, development, everything].map((rules) => isAllowedAddress(address, rules))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.1.1',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
  ])('allows %s in development', (address) => {
    expect(isAllowedAddress(address, development)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '::',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    'ff02::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '::127.0.0.1',
    '::ffff:0:7f00:1',
  ])('refuses %s even when private addresses are allowed', (address) => {
    expect([development, everything].map((rules) => isAllowedAddress(address, rules))).toEqual([false, false]);
  });

  it('allows the networks in `allowed` and no other private ones', () => {
    const rules: AddressRules = {
      allowPrivate: false,
      allowed: Networks.of('10.20.0.0/16', '192.0.2.7/32', 'fd12:3456::/32', '::1/128'),
    };
    const allowed = ['10.20.0.0', '10.20.255.255', '192.0.2.7', 'fd12:3456::1', '::1', '8.8.8.8'];
    const refused = [
      '10.19.255.255',
      '10.21.0.0',
      '192.0.2.6',
      '192.0.2.8',
      'fd12:3457::1',
      '127.0.0.1',
      '::ffff:10.20.0.1',
      '64:ff9b::a14:1',
    ];
    expect(allowed.filter((address) => !isAllowedAddress(address, rules))).toEqual([]);
    expect(refused.filter((address) => isAllowedAddress(address, rules))).toEqual([]);
  });

  it('refuses the networks in `refused` under all rules', () => {
    const refused = Networks.of('8.8.8.0/24', '10.20.0.0/16', '2606:4700::/32');
    for (const rules of [strict, development, everything]) {
      expect(
        ['8.8.8.8', '10.20.0.1', '2606:4700::1'].filter((address) => isAllowedAddress(address, { ...rules, refused })),
      ).toEqual([]);
      expect(isAllowedAddress('8.8.9.8', { ...rules, refused })).toBe(true);
    }
  });

  it('refuses the current addresses of the machine, unless their network is allowed', () => {
    let own = ['8.8.8.8'];
    const rules: AddressRules = { allowPrivate: false, ownAddresses: () => own };
    expect(['8.8.8.8', '8.8.4.4'].map((address) => isAllowedAddress(address, rules))).toEqual([false, true]);
    own = ['8.8.4.4', '2606:4700:0::1111'];
    expect(['8.8.8.8', '8.8.4.4', '2606:4700::1111'].map((address) => isAllowedAddress(address, rules))).toEqual([
      true,
      false,
      false,
    ]);
    expect(isAllowedAddress('8.8.4.4', { ...rules, allowed: Networks.of('8.8.4.0/24') })).toBe(true);
    expect(isAllowedAddress('8.8.4.4', { ...rules, allowPrivate: true })).toBe(true);
  });
});

describe('the list of forbidden addresses', () => {
  it('has at least 80 forbidden addresses, each once', () => {
    const addresses = [
      ...FORBIDDEN_RANGES.flatMap(({ first, last }) => [first, last]),
      ...EMBEDDED_ADDRESSES.map(([, address]) => address),
      ...METADATA_ADDRESSES,
    ];
    expect(new Set(addresses).size).toBeGreaterThanOrEqual(80);
  });
});
