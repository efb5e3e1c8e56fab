/** A network that is not public, with its first and last address and the public addresses next to it. */
interface Range {
  readonly range: string;
  readonly first: string;
  readonly last: string;
  readonly before?: string;
  readonly after?: string;
}

/**
 * Networks to which no client may make the service connect. The specs of this library check each entry. The fault tests
 * send to these addresses and expect no connection. Each line has the range, its first and last address, and the public
 * addresses before and after the range; `-` means that the address there is not public.
 */
export const FORBIDDEN_RANGES: readonly Range[] = `
0.0.0.0/8, 0.0.0.0, 0.255.255.255, -, 1.0.0.0
10.0.0.0/8, 10.0.0.0, 10.255.255.255, 9.255.255.255, 11.0.0.0
100.64.0.0/10, 100.64.0.0, 100.127.255.255, 100.63.255.255, 100.128.0.0
127.0.0.0/8, 127.0.0.0, 127.255.255.255, 126.255.255.255, 128.0.0.0
169.254.0.0/16, 169.254.0.0, 169.254.255.255, 169.253.255.255, 169.255.0.0
172.16.0.0/12, 172.16.0.0, 172.31.255.255, 172.15.255.255, 172.32.0.0
192.0.0.0/24, 192.0.0.0, 192.0.0.255, 191.255.255.255, 192.0.1.0
192.0.2.0/24, 192.0.2.0, 192.0.2.255, 192.0.1.255, 192.0.3.0
192.88.99.0/24, 192.88.99.0, 192.88.99.255, 192.88.98.255, 192.88.100.0
192.168.0.0/16, 192.168.0.0, 192.168.255.255, 192.167.255.255, 192.169.0.0
198.18.0.0/15, 198.18.0.0, 198.19.255.255, 198.17.255.255, 198.20.0.0
198.51.100.0/24, 198.51.100.0, 198.51.100.255, 198.51.99.255, 198.51.101.0
203.0.113.0/24, 203.0.113.0, 203.0.113.255, 203.0.112.255, 203.0.114.0
224.0.0.0/4, 224.0.0.0, 239.255.255.255, 223.255.255.255, -
240.0.0.0/4, 240.0.0.0, 255.255.255.255, -, -
all below 2000::/3, ::, 1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, -, 2000::
2001::/23, 2001::, 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff, 2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 2001:200::
2001:db8::/32, 2001:db8::, 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff, 2001:db7:ffff:ffff:ffff:ffff:ffff:ffff, 2001:db9::
2002::/16, 2002::, 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 2003::
3fff::/20, 3fff::, 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff, 3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 3fff:1000::
all above 2000::/3, 4000::, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, -
5f00::/16, 5f00::, 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff, -, -
fc00::/7, fc00::, fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, -, -
fe80::/10, fe80::, febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff, -, -
fec0::/10, fec0::, feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, -, -
ff00::/8, ff00::, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, -, -`
  .trim()
  .split('\n')
  .map((line) => {
    const [range = '', first = '', last = '', ...next] = line.split(', ');
    const [before, after] = next.map((address) => (address === '-' ? undefined : address));
    return { range, first, last, ...(before && { before }), ...(after && { after }) };
  });

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

/** Texts that are not addresses in the form in which sockets and resolvers return them. */
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

/** Public addresses that the guard must accept as destinations. */
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

/** Dangerous DNS answers for a name of a client. The destination must be refused with each of them. */
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
