import { describe, expect, it } from '@jest/globals';
import { isAllowedAddress } from './address.js';

/** Both edges of every forbidden range; their neighbours outside are among the allowed ones. */
const FORBIDDEN_V4 = [
  '0.0.0.0', '0.255.255.255',
  '10.0.0.0', '10.255.255.255',
  '100.64.0.0', '100.127.255.255', '100.100.100.200',
  '127.0.0.0', '127.0.0.1', '127.255.255.255',
  '169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255',
  '172.16.0.0', '172.31.255.255',
  '192.0.0.0', '192.0.0.192', '192.0.0.255',
  '192.0.2.0', '192.0.2.255',
  '192.88.99.0', '192.88.99.255',
  '192.168.0.0', '192.168.255.255',
  '198.18.0.0', '198.19.255.255',
  '198.51.100.0', '198.51.100.255',
  '203.0.113.0', '203.0.113.255',
  '224.0.0.0', '239.255.255.255',
  '240.0.0.0', '255.255.255.254', '255.255.255.255',
];
const ALLOWED_V4 = [
  '1.0.0.0', '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255',
  '128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0',
  '192.0.3.0', '192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0',
  '198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255',
];
const FORBIDDEN_V6 = [
  '::', '::1', '::2', '::127.0.0.1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:8.8.8.8',
  '::ffff:0:127.0.0.1', '::ffff:169.254.169.254', '::10.0.0.1', '0:0:0:0:0:ffff:c0a8:1', '64:ff9b::a9fe:a9fe', '64:ff9b::127.0.0.1', '64:ff9b::808:808', '64:ff9b:1::1', '64:ff9b:1:ffff::', '100::', '100::1',
  '1fff:ffff::', '2001::', '2001:0:7f00:1::', '2001:1ff:ffff::', '2001:10::', '2001:20::1', '2001:db8::', '2001:db8:ffff::1',
  '2002::', '2002:7f00:1::', '2002:a9fe:a9fe::', '2002:ffff::1', '3fff::', '3fff:fff::1', '4000::', '5f00::1', 'fc00::',
  'fd00:ec2::254', 'fdff::1', 'fe80::', 'fe80::1', 'febf::1', 'fec0::1', 'ff00::', 'ff02::1', 'ff0e::1',
];
const ALLOWED_V6 = [
  '2000::1', '2001:200::1', '2001:4860:4860::8888', '2001:db7:ffff::1', '2001:db9::1', '2003::1', '2606:4700::1111',
  '2a00:1450::1', '3ffe:ffff::1', '3fff:1000::1',
];
const strict = { allowPrivate: false };

describe('isAllowedAddress', () => {
  it('is tested with at least 80 forbidden addresses', () => {
    expect(FORBIDDEN_V4.length + FORBIDDEN_V6.length).toBeGreaterThanOrEqual(80);
  });

  it.each([...FORBIDDEN_V4, ...FORBIDDEN_V6])('refuses %s', (address) => {
    expect(isAllowedAddress(address, strict)).toBe(false);
  });

  it.each([...ALLOWED_V4, ...ALLOWED_V6])('allows %s', (address) => {
    expect(isAllowedAddress(address, strict)).toBe(true);
  });

  it.each(['', 'example.com', '127.1', '1.2.3', '0x7f.0.0.1', '[::1]', 'fe80::1%eth0', '8.8.8.8:80', ' 8.8.8.8'])(
    'refuses %j, which is no address',
    (text) => {
      expect(isAllowedAddress(text, strict)).toBe(false);
    },
  );

  it.each(['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', '169.254.1.1', '::1', 'fd00::1', 'fe80::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '8.8.8.8'])(
    'allows %s in development',
    (address) => {
      expect(isAllowedAddress(address, { allowPrivate: true })).toBe(true);
    },
  );

  it.each(['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '0.0.0.0', '::', '224.0.0.1', '255.255.255.255', 'ff02::1', '64:ff9b::7f00:1', '2002:7f00:1::'])(
    'refuses %s in development too',
    (address) => {
      expect(isAllowedAddress(address, { allowPrivate: true })).toBe(false);
    },
  );

  it('refuses the addresses of the machine itself', () => {
    expect(isAllowedAddress('8.8.8.8', { allowPrivate: false, refused: ['8.8.8.8'] })).toBe(false);
    expect(isAllowedAddress('2606:4700:0::1111', { allowPrivate: false, refused: ['2606:4700::1111'] })).toBe(false);
    expect(isAllowedAddress('8.8.4.4', { allowPrivate: false, refused: ['8.8.8.8'] })).toBe(true);
  });
});
