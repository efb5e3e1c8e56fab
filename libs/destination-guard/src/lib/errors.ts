/** Why a destination is refused; stable, for programs. Messages may change, codes do not. */
export type DestinationRefusedCode = 'malformed' | 'scheme' | 'credentials' | 'port' | 'host_name' | 'address';

const MESSAGES: Readonly<Record<DestinationRefusedCode, string>> = {
  malformed: 'expected an absolute URL of at most 2048 characters without spaces or control characters',
  scheme: 'expected a URL that starts with https://',
  credentials: 'expected a URL without user name and password',
  port: 'expected port 443, port 80, or a port from 1024 on',
  host_name: 'expected a public host name: not a single label, localhost, .local or .internal',
  address: 'expected a host whose addresses are all public',
};

/** The destination must not be called. The message names neither the URL nor an address: it is shown to clients. */
export class DestinationRefusedError extends Error {
  constructor(readonly code: DestinationRefusedCode) {
    super(MESSAGES[code]);
    this.name = 'DestinationRefusedError';
  }
}

/** The name of the host could not be turned into an address. */
export class DestinationUnresolvedError extends Error {
  /** @param isOurFault the resolver did not answer, which says nothing about the destination */
  constructor(readonly isOurFault: boolean) {
    super(isOurFault ? 'the resolver did not answer' : 'the host name has no address');
    this.name = 'DestinationUnresolvedError';
  }
}
