import { BlockList, connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectSecure, createSecureContext, type TLSSocket } from 'node:tls';

const CONNECT_MS = 5_000;
/** How long one of several addresses may take before the next one is tried beside it: a far one needs more than Node's 250 ms. */
const NEXT_ADDRESS_MS = 1_000;

export interface Peer {
  readonly isSecure: boolean;
  /** A name or a literal, without brackets. */
  readonly host: string;
  readonly port: number;
  /** Where the connection may go, and nowhere else. */
  readonly addresses: readonly string[];
  /** Of an earlier connection to the same peer, to shorten the handshake. */
  readonly session?: Buffer | undefined;
}

/** There was a connection, but no secure one came of it. */
export class HandshakeError extends Error {
  constructor(cause: unknown) {
    super('no secure connection', { cause });
    this.name = 'HandshakeError';
  }
}

class ConnectTimeoutError extends Error {
  readonly code = 'ETIMEDOUT';
}

/** Made once: it holds the certificates of the authorities, those of NODE_EXTRA_CA_CERTS among them. */
let secureContext: ReturnType<typeof createSecureContext> | undefined;

/**
 * Connects to one of the addresses that were checked: the name is not resolved again, and a socket that ended up elsewhere is
 * closed before anything of the message is written. The certificate must be valid for the name.
 * @param onSession told what shortens the next handshake
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
  secureContext ??= createSecureContext({ minVersion: 'TLSv1.2' });
  const socket: TLSSocket = connectSecure({
    ...options,
    secureContext,
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    // Said although it is the default, since a variable of the environment turns the default off.
    rejectUnauthorized: true,
    session: peer.session,
  });
  socket.on('session', onSession);
  return whenReady(socket, 'secureConnect', addresses);
}

function whenReady(socket: Socket, event: 'connect' | 'secureConnect', addresses: readonly string[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let isConnected = false;
    const timer = setTimeout(() => socket.destroy(new ConnectTimeoutError('no connection in time')), CONNECT_MS);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(isConnected && !(error instanceof ConnectTimeoutError) ? new HandshakeError(error) : error);
    };
    socket.once('error', fail);
    // Between the end of the handshake and the request nobody else listens, and an error that nobody hears ends the process.
    socket.on('error', () => undefined);
    socket.once('connect', () => (isConnected = true));
    socket.once(event, () => {
      clearTimeout(timer);
      socket.off('error', fail);
      if (isAmong(addresses, socket.remoteAddress ?? '')) return resolve(socket);
      socket.destroy();
      reject(new Error('connected to another address than the one that was checked'));
    });
  });
}

/** By their value: the same IPv6 address can be written in several ways. */
function isAmong(addresses: readonly string[], peer: string): boolean {
  const list = new BlockList();
  for (const address of addresses) list.addAddress(address, familyOf(address));
  return list.check(peer, familyOf(peer));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Answers every question for a name with the addresses that were checked. Literals never ask. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    if (options.all) return callback(null, all);
    const [first] = all;
    return first ? callback(null, first.address, first.family) : callback(new Error('no address'), '', 0);
  };
}
