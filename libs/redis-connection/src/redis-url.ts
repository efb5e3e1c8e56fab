import { isIPv4, isIPv6 } from 'node:net';

/** The address of one server. */
export interface RedisHost {
  /** Host name or IP address. An IPv6 address has no brackets. */
  readonly host: string;
  /** The port of the server. */
  readonly port: number;
}

/** The user, the password and the encryption for all servers of a URL. */
export interface Access {
  /** True when all connections use TLS, including those to sentinels. */
  readonly isEncrypted: boolean;
  /** The user. Undefined for the default user. */
  readonly username?: string;
  /** The password. Undefined for servers without a password. */
  readonly password?: string;
}

/** The servers of a URL with a single host. */
export interface SingleServer extends Access {
  /** The kind of the servers. */
  readonly mode: 'single';
  /** The address of the server. */
  readonly host: RedisHost;
  /** The number of the database. */
  readonly database: number;
}

/** The servers of a URL with `mode=cluster`. */
export interface ClusterServers extends Access {
  /** The kind of the servers. */
  readonly mode: 'cluster';
  /** Some nodes of the cluster. One reachable node is enough, because it tells the client the other nodes. */
  readonly hosts: readonly RedisHost[];
}

/** The servers of a URL with `mode=sentinel`. Sentinels know the address of the master. */
export interface SentinelServers extends Access {
  /** The kind of the servers. */
  readonly mode: 'sentinel';
  /** The addresses of the sentinels. */
  readonly sentinels: readonly RedisHost[];
  /** The name of the master in the configuration of the sentinels. */
  readonly master: string;
  /** The number of the database. */
  readonly database: number;
  /** The user for the connections to the sentinels. */
  readonly sentinelUsername?: string;
  /** The password for the connections to the sentinels. */
  readonly sentinelPassword?: string;
}

/** The hosts of Redis, and the user names and passwords for them. */
export type RedisServers = SingleServer | ClusterServers | SentinelServers;

/**
 * The error for an invalid `REDIS_URL`. Its message lists all violations. It quotes no part of the URL, because the URL
 * may contain a password.
 */
export class RedisUrlError extends Error {
  /** All violations. They quote no part of the URL. */
  readonly violations: readonly string[];

  constructor(violations: readonly string[]) {
    super([...new Set(violations)].join('; '));
    this.violations = violations;
    this.name = 'RedisUrlError';
  }
}

const PARAMETERS = ['mode', 'master', 'sentinel_username', 'sentinel_password'] as const;
const SHAPE = /^(rediss?):\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const NAME = /^(?=.{1,253}$)[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?$/;

/**
 * Parses a Redis URL. Special characters in names and passwords must be percent-encoded.
 *
 * - `redis://user:password@host:6379/0`: one server
 * - `redis://user:password@h1:6379,h2:6379,h3:6379?mode=cluster`: nodes of a cluster
 * - `redis://user:password@s1:26379,s2:26379/0?mode=sentinel&master=primary`: sentinels, with `sentinel_username`
 *   and `sentinel_password` if they need a password
 *
 * `rediss://` means TLS. Ports are optional.
 * @throws {RedisUrlError} when the URL is invalid
 */
export function parseRedisUrl(text: string): RedisServers {
  const [, scheme, user, hostsText = '', path = '', query] = SHAPE.exec(text) ?? [];
  if (!scheme)
    throw new RedisUrlError([
      'must be redis://user:password@host:port/database, or rediss:// for TLS, with special characters percent-encoded',
    ]);
  const violations: string[] = [];
  const parameters = readParameters(query, violations);
  const mode = readMode(parameters.get('mode'), violations);
  const hosts = readHosts(hostsText, mode === 'sentinel' ? 26_379 : 6379, violations);
  const database = readDatabase(path, violations);
  const access = { isEncrypted: scheme === 'rediss', ...readUser(user, violations) };
  const master = parameters.get('master');
  if (mode === 'single' && hosts.length > 1)
    violations.push('has several hosts, so it must have mode=cluster or mode=sentinel');
  if (mode === 'cluster' && database !== 0) violations.push('names a database, and a cluster has only database 0');
  if (mode === 'sentinel' && !master)
    violations.push('must have the parameter master: the name by which the sentinels know the servers');
  if (mode !== 'sentinel' && [...parameters.keys()].some((name) => name !== 'mode'))
    violations.push('has parameters that are only allowed with mode=sentinel');
  const [host] = hosts;
  if (violations.length > 0 || !host) throw new RedisUrlError(violations);
  switch (mode) {
    case 'single':
      return { mode, host, database, ...access };
    case 'cluster':
      return { mode, hosts, ...access };
    case 'sentinel':
      return {
        mode,
        sentinels: hosts,
        master: master ?? '',
        database,
        ...access,
        ...(parameters.get('sentinel_username') && { sentinelUsername: parameters.get('sentinel_username') }),
        ...(parameters.get('sentinel_password') && { sentinelPassword: parameters.get('sentinel_password') }),
      };
  }
}

/** Reads the parameters without `URLSearchParams`, which would read a `+` in a password as a space. */
function readParameters(query: string | undefined, violations: string[]): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const part of query?.split('&') ?? []) {
    const [name = '', ...value] = part.split('=');
    if (!PARAMETERS.some((known) => known === name))
      violations.push(`may have the parameters ${PARAMETERS.join(', ')} and no others`);
    else if (parameters.has(name)) violations.push(`has the parameter ${name} twice`);
    else parameters.set(name, decode(value.join('='), violations));
  }
  return parameters;
}

function readMode(mode: string | undefined, violations: string[]): RedisServers['mode'] {
  if (mode === undefined) return 'single';
  if (mode === 'cluster' || mode === 'sentinel') return mode;
  violations.push('must have cluster or sentinel as its mode, or none');
  return 'single';
}

function readHosts(text: string, defaultPort: number, violations: string[]): readonly RedisHost[] {
  const parts = text.split(',');
  return parts.map((part, index) => {
    const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(part) ?? [];
    const which = parts.length > 1 ? `host ${index + 1} of ${parts.length}` : 'host';
    if (!isHost(host)) violations.push(`has an invalid ${which}: neither a name nor an address (IPv6 in brackets)`);
    if (port !== undefined && !isPort(port))
      violations.push(`has an invalid port for ${which}: not a number from 1 to 65535`);
    return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? defaultPort : Number(port) };
  });
}

function isHost(text: string): boolean {
  if (text.startsWith('[')) return isIPv6(text.slice(1, -1)) && !text.includes('%');
  return /^[\d.]*$/.test(text) ? isIPv4(text) : NAME.test(text);
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

function readDatabase(path: string, violations: string[]): number {
  if (/^\d{0,5}$/.test(path)) return Number(path);
  violations.push('must have the number of a database as its path, or none');
  return 0;
}

/** Reads `user:password` or `:password`, or nothing for servers without a password. */
function readUser(text: string | undefined, violations: string[]): Pick<Access, 'username' | 'password'> {
  if (!text) return {};
  const [username = '', ...rest] = text.split(':');
  if (rest.length === 0) violations.push('has a user without a password: it must be user:password@ or :password@');
  return { ...(username && { username: decode(username, violations) }), password: decode(rest.join(':'), violations) };
}

function decode(text: string, violations: string[]): string {
  try {
    return decodeURIComponent(text);
  } catch {
    violations.push('has a percent sign that encodes nothing: it must be %25');
    return '';
  }
}
