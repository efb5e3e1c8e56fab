/** A network that is not public: its first and last address, and the public addresses next to it. */
interface Range {
  readonly range: string;
  readonly first: string;
  readonly last: string;
  readonly before?: string;
  readonly after?: string;
}

/**
 * Networks to which no client may make the service connect. The specs of this library check each entry of this file, and
 * the fault tests send to these addresses and expect no connection.
 */
export const FORBIDDEN_RANGES: readonly Range[] = [
  { range: '0.0.0.0/8', first: '0.0.0.0', last: '0.255.255.255', after: '1.0.0.0' },
  { range: '10.0.0.0/8', before: '9.255.255.255', first: '10.0.0.0', last: '10.255.255.255', after: '11.0.0.0' },
  {
    range: '100.64.0.0/10',
    before: '100.63.255.255',
    first: '100.64.0.0',
    last: '100.127.255.255',
    after: '100.128.0.0',
  },
  { range: '127.0.0.0/8', before: '126.255.255.255', first: '127.0.0.0', last: '127.255.255.255', after: '128.0.0.0' },
  {
    range: '169.254.0.0/16',
    before: '169.253.255.255',
    first: '169.254.0.0',
    last: '169.254.255.255',
    after: '169.255.0.0',
  },
  {
    range: '172.16.0.0/12',
    before: '172.15.255.255',
    first: '172.16.0.0',
    last: '172.31.255.255',
    after: '172.32.0.0',
  },
  { range: '192.0.0.0/24', before: '191.255.255.255', first: '192.0.0.0', last: '192.0.0.255', after: '192.0.1.0' },
  { range: '192.0.2.0/24', before: '192.0.1.255', first: '192.0.2.0', last: '192.0.2.255', after: '192.0.3.0' },
  {
    range: '192.88.99.0/24',
    before: '192.88.98.255',
    first: '192.88.99.0',
    last: '192.88.99.255',
    after: '192.88.100.0',
  },
  {
    range: '192.168.0.0/16',
    before: '192.167.255.255',
    first: '192.168.0.0',
    last: '192.168.255.255',
    after: '192.169.0.0',
  },
  {
    range: '198.18.0.0/15',
    before: '198.17.255.255',
    first: '198.18.0.0',
    last: '198.19.255.255',
    after: '198.20.0.0',
  },
  {
    range: '198.51.100.0/24',
    before: '198.51.99.255',
    first: '198.51.100.0',
    last: '198.51.100.255',
    after: '198.51.101.0',
  },
  {
    range: '203.0.113.0/24',
    before: '203.0.112.255',
    first: '203.0.113.0',
    last: '203.0.113.255',
    after: '203.0.114.0',
  },
  { range: '224.0.0.0/4', before: '223.255.255.255', first: '224.0.0.0', last: '239.255.255.255' },
  { range: '240.0.0.0/4', first: '240.0.0.0', last: '255.255.255.255' },
  { range: 'all below 2000::/3', first: '::', last: '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', after: '2000::' },
  {
    range: '2001::/23',
    before: '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    first: '2001::',
    last: '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
    after: '2001:200::',
  },
  {
    range: '2001:db8::/32',
    before: '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    first: '2001:db8::',
    last: '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    after: '2001:db9::',
  },
  {
    range: '2002::/16',
    before: '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    first: '2002::',
    last: '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    after: '2003::',
  },
  {
    range: '3fff::/20',
    before: '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    first: '3fff::',
    last: '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    after: '3fff:1000::',
  },
  {
    range: 'all above 2000::/3',
    before: '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    first: '4000::',
    last: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  },
  { range: '5f00::/16', first: '5f00::', last: '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: 'fc00::/7', first: 'fc00::', last: 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: 'fe80::/10', first: 'fe80::', last: 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: 'fec0::/10', first: 'fec0::', last: 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: 'ff00::/8', first: 'ff00::', last: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
];

/** IPv6 addresses that contain an IPv4 address. */
export const EMBEDDED_ADDRESSES: readonly (readonly [form: string, address: string])[] = [
  ['compatible', '::127.0.0.1'],
  ['compatible', '::7f00:1'],
  ['compatible', '::10.0.0.1'],
  ['mapped', '::ffff:127.0.0.1'],
  ['mapped', '::ffff:7f00:1'],
  ['mapped', '::FFFF:10.0.0.1'],
  ['mapped', '0:0:0:0:0:ffff:c0a8:1'],
  ['mapped', '::ffff:169.254.169.254'],
  ['mapped, of a public address', '::ffff:8.8.8.8'],
  ['translated (SIIT)', '::ffff:0:127.0.0.1'],
  ['translated (SIIT)', '::ffff:0:7f00:1'],
  ['NAT64', '64:ff9b::127.0.0.1'],
  ['NAT64', '64:ff9b::a9fe:a9fe'],
  ['NAT64, of a public address', '64:ff9b::808:808'],
  ['local NAT64', '64:ff9b:1::1'],
  ['local NAT64', '64:ff9b:1:ffff::127.0.0.1'],
  ['6to4', '2002:7f00:1::'],
  ['6to4', '2002:a9fe:a9fe::1'],
  ['Teredo', '2001:0:7f00:1::'],
  ['Teredo', '2001::80ff:fefe'],
];

/** Metadata services, from which cloud machines get credentials. */
export const METADATA_ADDRESSES: readonly string[] = [
  '169.254.169.254',
  '169.254.169.253',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.42.42',
  '169.254.0.23',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:42::42',
  'fe80::a9fe:a9fe',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
];

/** Texts that are not addresses in the form that sockets and resolvers return. */
export const NO_ADDRESSES: readonly string[] = [
  '',
  ' ',
  'example.com',
  '127.1',
  '1.2.3',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '2130706433',
  '256.0.0.1',
  '1.2.3.4.5',
  '[::1]',
  '::1::',
  ':::',
  'fe80::1%eth0',
  '2606:4700::1111%eth0',
  '::ffff:127.0.0.1%1',
  '8.8.8.8:80',
  ' 8.8.8.8',
  '8.8.8.8 ',
  '8.8.8.8\0',
  '\uff18.8.8.8',
  '8.8.8.8/32',
];

/** Addresses that must stay allowed. */
export const PUBLIC_ADDRESSES: readonly string[] = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '168.63.129.15',
  '168.63.129.17',
  '2001:4860:4860::8888',
  '2606:4700::1111',
  '2a00:1450::1',
];

/** Answers that name servers may give for a name that a client controls. */
export const FORBIDDEN_ANSWERS: readonly (readonly [what: string, addresses: readonly string[]])[] = [
  ['loopback', ['127.0.0.1']],
  ['loopback of IPv6', ['::1']],
  ['a private address', ['10.1.2.3']],
  ['the unspecified address', ['0.0.0.0']],
  ['the unspecified address of IPv6', ['::']],
  ['metadata', ['169.254.169.254']],
  ['a public address, then a private one', ['8.8.8.8', '192.168.1.1']],
  ['a private address, then a public one', ['192.168.1.1', '8.8.8.8']],
  ['public IPv4 and unique local IPv6', ['8.8.8.8', 'fd00::1']],
  ['private IPv4 and public IPv6', ['172.16.0.1', '2606:4700::1111']],
  ['public addresses and a mapped one', ['8.8.8.8', '8.8.4.4', '::ffff:10.0.0.1']],
  ['public addresses and NAT64', ['8.8.8.8', '64:ff9b::a9fe:a9fe']],
];
