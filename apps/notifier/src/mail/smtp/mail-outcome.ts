/** Why an attempt to hand over an e-mail failed. */
export const MAIL_ERRORS = {
  rejected: 'the server refused the recipient or the message for good',
  deferred: 'the server refused it for the time being',
  login: 'the server does not know the user and the password of SMTP_URL, or wants some',
  sender: 'the server does not take mail from MAIL_FROM',
  relaying: 'the server does not pass on mail for this client: a login may be missing',
  policy: 'the server refused it by its rules, because of the recipient or of this service: it does not say which',
  connection: 'no connection, or it broke',
  tls: 'no secure connection: the certificate has expired, is for another name or not signed by a known authority, or TLS is too old',
  timeout: 'the server took too long',
  secret: 'SECRET_KEY is not the one that the API has encrypted the link of the e-mail with',
  interrupted: 'the process ended in the middle: it is unknown whether the e-mail arrived',
  failed: 'for another reason',
} as const;

export type MailError = keyof typeof MAIL_ERRORS;

/** Faults that only whoever runs the service can mend. */
export const OPERATOR_ERRORS: readonly MailError[] = ['login', 'sender', 'relaying', 'tls', 'secret'];

/** Faults of the server or of the way to it: the next e-mail would meet the same. None of what is said of a recipient is one. */
export const SERVER_ERRORS: readonly MailError[] = ['login', 'sender', 'tls', 'connection', 'timeout'];

export interface MailOutcome {
  /** Null for a success. */
  readonly error: MailError | null;
  /** Numbers of the server's answer, `550 5.1.1`: its text may name the recipient. */
  readonly reply: string | null;
  readonly durationMs: number;
}
