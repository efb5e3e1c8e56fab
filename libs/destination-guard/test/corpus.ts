import { type DestinationRefusedCode } from '../src/lib/errors.js';

/**
 * What a client could try in order to make the service call what only the service can reach, and what must stay possible.
 * Data alone: the specs of this library judge each entry, and the end-to-end tests send to them and see that nobody is called.
 */

/** A block that is not public: its ends, and the addresses beside it where those are public. */
interface Range {
  readonly range: string;
  readonly first: string;
  readonly last: string;
  readonly before?: string;
  readonly after?: string;
}

export const FORBIDDEN_RANGES: readonly Range[] = [
  { range: '0.0.0.0/8', first: '0.0.0.0', last: '0.255.255.255', after: '1.0.0.0' },
  { range: '10.0.0.0/8', before: '9.255.255.255', first: '10.0.0.0', last: '10.255.255.255', after: '11.0.0.0' },
  { range: '100.64.0.0/10', before: '100.63.255.255', first: '100.64.0.0', last: '100.127.255.255', after: '100.128.0.0' },
  { range: '127.0.0.0/8', before: '126.255.255.255', first: '127.0.0.0', last: '127.255.255.255', after: '128.0.0.0' },
  { range: '169.254.0.0/16', before: '169.253.255.255', first: '169.254.0.0', last: '169.254.255.255', after: '169.255.0.0' },
  { range: '172.16.0.0/12', before: '172.15.255.255', first: '172.16.0.0', last: '172.31.255.255', after: '172.32.0.0' },
  { range: '192.0.0.0/24', before: '191.255.255.255', first: '192.0.0.0', last: '192.0.0.255', after: '192.0.1.0' },
  { range: '192.0.2.0/24', before: '192.0.1.255', first: '192.0.2.0', last: '192.0.2.255', after: '192.0.3.0' },
  { range: '192.88.99.0/24', before: '192.88.98.255', first: '192.88.99.0', last: '192.88.99.255', after: '192.88.100.0' },
  { range: '192.168.0.0/16', before: '192.167.255.255', first: '192.168.0.0', last: '192.168.255.255', after: '192.169.0.0' },
  { range: '198.18.0.0/15', before: '198.17.255.255', first: '198.18.0.0', last: '198.19.255.255', after: '198.20.0.0' },
  { range: '198.51.100.0/24', before: '198.51.99.255', first: '198.51.100.0', last: '198.51.100.255', after: '198.51.101.0' },
  { range: '203.0.113.0/24', before: '203.0.112.255', first: '203.0.113.0', last: '203.0.113.255', after: '203.0.114.0' },
  { range: '224.0.0.0/4', before: '223.255.255.255', first: '224.0.0.0', last: '239.255.255.255' },
  { range: '240.0.0.0/4', first: '240.0.0.0', last: '255.255.255.255' },
  { range: 'all below 2000::/3', first: '::', last: '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', after: '2000::' },
  { range: '2001::/23', before: '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', first: '2001::', last: '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', after: '2001:200::' },
  { range: '2001:db8::/32', before: '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', first: '2001:db8::', last: '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', after: '2001:db9::' },
  { range: '2002::/16', before: '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff', first: '2002::', last: '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', after: '2003::' },
  { range: '3fff::/20', before: '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', first: '3fff::', last: '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', after: '3fff:1000::' },
  { range: 'all above 2000::/3', before: '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', first: '4000::', last: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: '5f00::/16', first: '5f00::', last: '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: 'fc00::/7', first: 'fc00::', last: 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: 'fe80::/10', first: 'fe80::', last: 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: 'fec0::/10', first: 'fec0::', last: 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: 'ff00::/8', first: 'ff00::', last: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
];

/** IPv6 that is an IPv4 address in another form. */
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

/** Where clouds hand out credentials. */
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

/** What is no address in the form in which sockets and resolvers give addresses. */
export const NO_ADDRESSES: readonly string[] = [
  '', ' ', 'example.com', '127.1', '1.2.3', '0x7f.0.0.1', '0177.0.0.1', '2130706433', '256.0.0.1', '1.2.3.4.5', '[::1]', '::1::', ':::',
  'fe80::1%eth0', '2606:4700::1111%eth0', '::ffff:127.0.0.1%1', '8.8.8.8:80', ' 8.8.8.8', '8.8.8.8 ', '8.8.8.8\0', '\uff18.8.8.8', '8.8.8.8/32',
];

export const PUBLIC_ADDRESSES: readonly string[] = [
  '1.1.1.1', '8.8.8.8', '93.184.216.34', '168.63.129.15', '168.63.129.17', '2001:4860:4860::8888', '2606:4700::1111', '2a00:1450::1',
];

/** Loopback, whatever way it is written: the parser of URLs folds each to the same address. */
export const LOOPBACK_URLS: readonly string[] = [
  'https://127.0.0.1/',
  'https://127.0.0.1./',
  'https://127.1/',
  'https://127.0.1/',
  'https://0x7f.1/',
  'https://0x7f.0x0.0x0.0x1/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://00000177.00000000.00000000.00000001/',
  'https://2130706433/',
  'https://127.0x0.0.01/',
  'https://%31%32%37.0.0.1/',
  'https://127%2e0%2e0%2e1/',
  'https://\uff11\uff12\uff17.0.0.1/',
  'https://127\u30020\u30020\u30021/',
  'https://\u2460\u2461\u2466.0.0.1/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[0000:0000:0000:0000:0000:0000:0000:0001]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
];

export const REFUSED_URLS: readonly (readonly [url: string, code: DestinationRefusedCode])[] = [
  ['', 'malformed'],
  ['example.com/hook', 'malformed'],
  ['//example.com/hook', 'malformed'],
  ['https://', 'malformed'],
  ['https://exa mple.com/', 'malformed'],
  [' https://example.com/', 'malformed'],
  ['https://example.com/\n', 'malformed'],
  ['https://exam\tple.com/', 'malformed'],
  ['https://example.com\0/', 'malformed'],
  ['https://[fe80::1%eth0]/', 'malformed'],
  ['https://[fe80::1%25eth0]/', 'malformed'],
  ['https://[::1/', 'malformed'],
  ['https://256.256.256.256/', 'malformed'],
  ['https://4294967296/', 'malformed'],
  ['https://1.2.3.4.5/', 'malformed'],
  ['https://example.com:65536/', 'malformed'],
  ['https://example.com%00.example/', 'malformed'],
  [`https://example.com/${'a'.repeat(2029)}`, 'malformed'],
  ['http://example.com/', 'scheme'],
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['gopher://127.0.0.1:6379/_FLUSHALL', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['data:text/plain,x', 'scheme'],
  ['https:example.com', 'scheme'],
  ['https:/example.com', 'scheme'],
  ['https:\\\\example.com', 'scheme'],
  ['https://user@example.com/', 'credentials'],
  ['https://user:secret@example.com/', 'credentials'],
  ['https://:secret@example.com/', 'credentials'],
  ['https://example.com@127.0.0.1/', 'credentials'],
  ['https://example.com:443@127.0.0.1/', 'credentials'],
  ['https://example.com:0/', 'port'],
  ['https://example.com:1/', 'port'],
  ['https://example.com:22/', 'port'],
  ['https://example.com:25/', 'port'],
  ['https://example.com:79/', 'port'],
  ['https://example.com:81/', 'port'],
  ['https://example.com:442/', 'port'],
  ['https://example.com:444/', 'port'],
  ['https://example.com:1023/', 'port'],
  ['https://localhost/', 'host_name'],
  ['https://localhost./', 'host_name'],
  ['https://localhost../', 'host_name'],
  ['https://LOCALHOST/', 'host_name'],
  ['https://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/', 'host_name'],
  ['https://api.localhost/', 'host_name'],
  ['https://intranet/', 'host_name'],
  ['https://intranet./', 'host_name'],
  ['https://printer.local/', 'host_name'],
  ['https://printer.local./', 'host_name'],
  ['https://printer.LOCAL/', 'host_name'],
  ['https://db.internal/', 'host_name'],
  ['https://metadata.google.internal/computeMetadata/v1/', 'host_name'],
  ['https://metadata.google.internal./', 'host_name'],
  ['https://metadata.goog/', 'host_name'],
  ['https://metadata.tencentyun.com/', 'host_name'],
  ['https://instance-data.ec2.internal/', 'host_name'],
  ['https://instance-data/', 'host_name'],
  ['https://0/', 'address'],
  ['https://0.0.0.0/', 'address'],
  ['https://[::]/', 'address'],
  ['https://10.0.0.1/', 'address'],
  ['https://0xa.1/', 'address'],
  ['https://0300.0250.1/', 'address'],
  ['https://192.168.0.1:8443/', 'address'],
  ['https://169.254.169.254/latest/meta-data', 'address'],
  ['https://0xa9fea9fe/', 'address'],
  ['https://2852039166/', 'address'],
  ['https://[fd00:ec2::254]/', 'address'],
  ['https://[fe80::1]/', 'address'],
  ['https://[::ffff:8.8.8.8]/', 'address'],
  ['https://example.com\uff0f.127.0.0.1/', 'malformed'],
];

export const ACCEPTED_URLS: readonly string[] = [
  'https://example.com',
  'HTTPS://example.com/hook?a=1#part',
  'https://example.com./',
  'https://example.com:80/',
  'https://example.com:443/',
  'https://example.com:1024/',
  'https://example.com:65535/',
  'https://b\u00fccher.example/',
  'https://8.8.8.8/',
  'https://134744072/',
  'https://[2606:4700::1111]/',
  'https://local.example.com/',
  'https://localhost.example.com/',
  `https://example.com/${'a'.repeat(2028)}`,
];

/** What name servers may answer for a name that a client controls. */
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
