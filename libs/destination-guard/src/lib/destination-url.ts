import { isIP } from 'node:net';
import { type AddressRules, isAllowedAddress } from './address.js';
import { DestinationRefusedError } from './errors.js';

export interface DestinationRules extends AddressRules {
  /** True to accept `http://` beside `https://`. */
  readonly allowHttp: boolean;
}

const MAX_LENGTH = 2048;
const LOCAL_SUFFIXES = ['localhost', 'local', 'internal'];
/** Names of services that give out credentials. They are refused even when local names are accepted. */
const METADATA_NAMES = [
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
];
const FIRST_UNPRIVILEGED_PORT = 1024;
const WEB_PORTS = [80, 443];

/**
 * Checks the URL of a destination without resolving its host name. {@link vetDestination} also checks the addresses.
 * @returns the parsed URL, with literal addresses in canonical form
 * @throws {DestinationRefusedError} when a rule forbids the URL
 * Source: docs/reference/destinations.md.
 */
export function checkDestinationUrl(text: string, rules: DestinationRules): URL {
  if (text.length > MAX_LENGTH || hasBlanks(text) || !URL.canParse(text))
    throw new DestinationRefusedError('malformed');
  const url = new URL(text);
  if (!isAllowedScheme(text, url.protocol, rules)) throw new DestinationRefusedError('scheme');
  if (url.username !== '' || url.password !== '') throw new DestinationRefusedError('credentials');
  if (!isAllowedPort(url)) throw new DestinationRefusedError('port');
  const host = hostOf(url);
  if (isIP(host) !== 0) {
    if (!isAllowedAddress(host, rules)) throw new DestinationRefusedError('address');
  } else if (host === '' || METADATA_NAMES.includes(host) || (!rules.allowPrivate && isLocalName(host))) {
    throw new DestinationRefusedError('host_name');
  }
  return url;
}

/**
 * Returns the host in the form that sockets and resolvers expect: in lower case, without brackets and without dots at
 * the end.
 */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

/**
 * Returns true when the text has blanks. The URL parser silently removes tabs and line breaks, but a URL with them is a
 * mistake or an attack.
 */
function hasBlanks(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- searches for control characters
  return /[\u0000-\u0020\u007f]/.test(text);
}

function isAllowedScheme(text: string, protocol: string, { allowHttp }: DestinationRules): boolean {
  const isWeb = protocol === 'https:' || (allowHttp && protocol === 'http:');
  return isWeb && text.slice(protocol.length).startsWith('//');
}

function isAllowedPort(url: URL): boolean {
  if (url.port === '') return true;
  const port = Number(url.port);
  return WEB_PORTS.includes(port) || port >= FIRST_UNPRIVILEGED_PORT;
}

function isLocalName(host: string): boolean {
  const labels = host.split('.');
  return labels.length < 2 || LOCAL_SUFFIXES.includes(labels.at(-1) ?? '');
}
