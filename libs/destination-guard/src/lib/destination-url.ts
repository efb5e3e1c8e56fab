import { isIP } from 'node:net';
import { type AddressRules, isAllowedAddress } from './address.js';
import { DestinationRefusedError } from './errors.js';

export interface DestinationRules extends AddressRules {
  /** Accept `http://` beside `https://`. */
  readonly allowHttp: boolean;
}

const MAX_LENGTH = 2048;
const LOCAL_SUFFIXES = ['localhost', 'local', 'internal'];
/** Names of the services that hand out credentials: refused in development too, where local names are accepted. */
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
 * Checks a destination by its text alone; where its name leads to is {@link vetDestination}'s question.
 * @returns the parsed URL; literal addresses are in canonical form, whatever notation they were written in
 * @throws {DestinationRefusedError}
 * Source: CONTRACT.md 8, 10 (ports) and 11 (local names).
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

/** The host as sockets and resolvers take it: without brackets and without the dot at the end. The parser has lower-cased it. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

/** The parser of URLs removes tabs and line breaks silently; an address that needs that is a mistake or a trick. */
function hasBlanks(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
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
