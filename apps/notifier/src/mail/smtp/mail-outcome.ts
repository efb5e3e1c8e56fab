/** The error codes of attempts to send an e-mail, with explanations for the log. */
export const MAIL_ERRORS = {
  rejected: 'the server rejected the recipient or the message permanently',
  deferred: 'the server rejected the e-mail temporarily',
  login: 'the server rejected the user and password of SMTP_URL, or requires them',
  sender: 'the server rejected the sender MAIL_FROM',
  relaying: 'the server does not relay mail for this client: a login may be missing',
  policy: 'a policy of the server rejected the e-mail, because of the recipient or of this service',
  connection: 'the connection failed or was lost',
  tls: 'the TLS connection failed: the certificate is expired, untrusted or for another name, or TLS is too old',
  timeout: 'the server did not answer in time',
  secret: 'the API encrypted the link of the e-mail with another SECRET_KEY',
  interrupted: 'the process ended during the attempt: it is unknown whether the e-mail was sent',
  failed: 'another error',
} as const;

export type MailError = keyof typeof MAIL_ERRORS;

/** Errors that only an operator can repair. */
export const OPERATOR_ERRORS: readonly MailError[] = ['login', 'sender', 'relaying', 'tls', 'secret'];

/**
 * Errors of the server or the connection. The next e-mail would fail in the same way, so they open the circuit breaker.
 */
export const SERVER_ERRORS: readonly MailError[] = ['login', 'sender', 'tls', 'connection', 'timeout'];

export interface MailOutcome {
  /** The error code. Null for a success. */
  readonly error: MailError | null;
  /** The codes of the server's answer, such as `550 5.1.1`. Its text is dropped, because it may name the recipient. */
  readonly reply: string | null;
  readonly durationMs: number;
}
