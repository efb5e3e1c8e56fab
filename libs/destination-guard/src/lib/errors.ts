import { type Message, message } from '@ats/message';

/** The reason of a refusal, for programs. Messages may change, but codes never do. */
export type DestinationRefusedCode = 'malformed' | 'scheme' | 'credentials' | 'port' | 'host_name' | 'address';

const MESSAGES: Readonly<Record<DestinationRefusedCode, Message>> = {
  malformed: message`expected an absolute URL of at most ${2048} characters without spaces or control characters`,
  scheme: message`expected a URL that starts with ${'https://'}`,
  credentials: message`expected a URL without user name and password`,
  port: message`expected port ${443}, port ${80}, or a port from ${1024} on`,
  host_name: message`expected a public host name: not a single label, ${'localhost'}, ${'.local'} or ${'.internal'}`,
  address: message`expected a host whose IP addresses are all public`,
};

/**
 * The error for a destination that must not be called. `violation.message` is shown to clients, so it contains neither
 * the URL nor an address. `message` is its English text.
 */
export class DestinationRefusedError extends Error {
  /** The code of the rule that forbids the destination. */
  readonly code: DestinationRefusedCode;

  /** The rule that forbids the destination: a code for programs, and a text for people. */
  readonly violation: { readonly code: DestinationRefusedCode; readonly message: Message };

  constructor(code: DestinationRefusedCode) {
    super(String(MESSAGES[code]));
    this.code = code;
    this.violation = { code, message: MESSAGES[code] };
    this.name = 'DestinationRefusedError';
  }
}

/** The error for a host name that could not be resolved to an address. */
export class DestinationUnresolvedError extends Error {
  /**
   * True when the resolver did not answer, which says nothing about the destination. False when the host name has no
   * address, or when its own name servers fail.
   */
  readonly isOwnError: boolean;

  /** @param isOwnError  true when the resolver did not answer, which says nothing about the destination */
  constructor(isOwnError: boolean) {
    super(isOwnError ? 'the resolver did not answer' : 'the host name has no IP address');
    this.isOwnError = isOwnError;
    this.name = 'DestinationUnresolvedError';
  }
}
