import { type ClientCertificate } from '@ats/domain';
import { BlockList, connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectSecure, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';

const CONNECT_MS = 5_000;
/**
 * Delay in ms before the next address is tried in parallel. It is longer than Node's default of 250 ms, because
 * connecting to a distant server takes longer.
 */
const NEXT_ADDRESS_MS = 1_000;

export interface Peer {
  readonly isSecure: boolean;
  /** A host name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** The checked addresses. The connection must go to one of them. */
  readonly addresses: readonly string[];
  /** The TLS session of an earlier connection to the same server. It shortens the handshake. */
  readonly session?: Buffer | undefined;
  /** The TLS context with the client certificate. Absent for connections without a client certificate. */
  readonly secureContext?: SecureContext | undefined;
}

/** The error for a failed TLS handshake after the connection was established. */
export class HandshakeError extends Error {
  constructor(cause: unknown) {
    super('the TLS handshake failed', { cause });
    this.name = 'HandshakeError';
  }
}

class ConnectTimeoutError extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * The TLS context of connections without a client certificate. It is created only once, because loading all CA
 * certificates takes time. It includes the certificates of NODE_EXTRA_CA_CERTS.
 */
let anonymousContext: SecureContext | undefined;

const MIN_VERSION = 'TLSv1.2';

/** Creates the context of connections with a client certificate. */
export const contextWith = ({ certificate, private_key }: ClientCertificate): SecureContext =>
  createSecureContext({ minVersion: MIN_VERSION, cert: certificate, key: private_key });

/**
 * Connects to one of the checked addresses. The host name is not resolved again. A socket to any other address is
 * closed before a byte is written. The certificate must be valid for the host name.
 * @param onSession  gets the TLS session, which shortens the next handshake
 */
export function connectPinned(peer: Peer, onSession: (session: Buffer) => void): Promise<Socket> {
  const { isSecure, host, port, addresses } = peer;
  const options = {
    host,
    port,
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    noDelay: true,
  };
  if (!isSecure) return whenReady(connectPlain(options), 'connect', addresses);
  const socket: TLSSocket = connectSecure({
    ...options,
    secureContext: peer.secureContext ?? (anonymousContext ??= createSecureContext({ minVersion: MIN_VERSION })),
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    // The option is set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED can turn the default off.
    rejectUnauthorized: true,
    session: peer.session,
  });
  socket.on('session', onSession);
  return whenReady(socket, 'secureConnect', addresses);
}

function whenReady(socket: Socket, event: 'connect' | 'secureConnect', addresses: readonly string[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let isConnected = false;
    const timer = setTimeout(
      () => socket.destroy(new ConnectTimeoutError(`the destination accepted no connection within ${CONNECT_MS} ms`)),
      CONNECT_MS,
    );
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(isConnected && !(error instanceof ConnectTimeoutError) ? new HandshakeError(error) : error);
    };
    socket.once('error', fail);
    // Between the handshake and the request, the socket has no other listener for errors, and an unhandled error event
    // would end the process.
    socket.on('error', () => undefined);
    socket.once('connect', () => (isConnected = true));
    socket.once(event, () => {
      clearTimeout(timer);
      socket.off('error', fail);
      if (isAmong(addresses, socket.remoteAddress ?? '')) return resolve(socket);
      socket.destroy();
      reject(new Error('the connection leads to an IP address that was not checked'));
    });
  });
}

/**
 * True when the address of the peer is among the checked addresses. Addresses are compared by value, because an IPv6
 * address has several spellings.
 */
function isAmong(addresses: readonly string[], peer: string): boolean {
  const list = new BlockList();
  for (const address of addresses) list.addAddress(address, familyOf(address));
  return list.check(peer, familyOf(peer));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Returns a lookup function that resolves every name to the checked addresses. Node does not call it for an IP address.
 */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    if (options.all) return callback(null, all);
    const [first] = all;
    return first
      ? callback(null, first.address, first.family)
      : callback(new Error('the destination has no IP address that passed the check'), '', 0);
  };
}
