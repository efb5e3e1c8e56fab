import { type MailError, type MailOutcome } from './mail-outcome.js';

/** What nodemailer says of a failure. */
interface SmtpFailure {
  /** Its own class. */
  readonly code?: unknown;
  /** The code of Node or OpenSSL behind it. */
  readonly originalCode?: unknown;
  /** Of the server's answer. */
  readonly responseCode?: unknown;
  readonly response?: unknown;
  /** The command that was answered; `CONN` before the first, `API` when nothing was sent. */
  readonly command?: unknown;
}

const BY_CODE: ReadonlyMap<unknown, MailError> = new Map([
  ['EAUTH', 'login'],
  ['ENOAUTH', 'login'],
  ['ETLS', 'tls'],
  ['ETIMEDOUT', 'timeout'],
  ['EABORT', 'timeout'],
  ['ECONNECTION', 'connection'],
  ['ESOCKET', 'connection'],
  ['EDNS', 'connection'],
]);

/** Of Node and OpenSSL, for a certificate or a handshake that will not do. */
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|EPROTO|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_|HOSTNAME_)/;

/** Authentication is wanted (530), was refused (534, 535, 538), or has no way to be checked (454). Source: RFC 4954, 6. */
const LOGIN_REPLIES: ReadonlySet<number> = new Set([454, 530, 534, 535, 538]);
/** The session was out of step, which says nothing about the message. */
const BAD_SEQUENCE = 503;
/** Too large for the server, which it may say as soon as the sender names the size. Source: RFC 1870, 6.1. */
const TOO_LARGE = 552;
/** As the servers in use say that they do not pass on mail for this client: a login is missing, not the recipient. */
const RELAYING_DENIED = /\brelay/i;
/** Those in which the server judges a recipient or the message itself. */
const JUDGING = ['RCPT TO', 'DATA'];

/** The class of a failed attempt, and the numbers of the server's answer. */
export function classifyMailError(error: unknown): Pick<MailOutcome, 'error' | 'reply'> {
  const failure: SmtpFailure = typeof error === 'object' && error !== null ? error : {};
  return { error: classOf(failure), reply: replyOf(failure) };
}

function classOf(failure: SmtpFailure): MailError {
  const { code, originalCode, responseCode } = failure;
  if (TLS_CODE.test(String(originalCode))) return 'tls';
  if (typeof responseCode === 'number' && code !== 'ETLS') return classOfReply(responseCode, failure);
  // Refused by nodemailer itself, as the server would: the address or the size cannot be put into its commands.
  if (code === 'EMESSAGE' || code === 'EENVELOPE') return 'rejected';
  return BY_CODE.get(code) ?? 'failed';
}

function classOfReply(reply: number, { code, command, response }: SmtpFailure): MailError {
  if (code === 'EAUTH' || LOGIN_REPLIES.has(reply)) return 'login';
  if (reply < 500 || reply === BAD_SEQUENCE) return 'deferred';
  if (command === 'MAIL FROM') return reply === TOO_LARGE ? 'rejected' : 'sender';
  if (command === 'RCPT TO' && RELAYING_DENIED.test(String(response))) return 'sender';
  // A server that sends everybody away has not looked at this message.
  return JUDGING.includes(String(command)) || code === 'EMESSAGE' ? 'rejected' : 'connection';
}

/** `550`, or `550 5.1.1` where the server says more. Source: RFC 3463. */
function replyOf({ response }: SmtpFailure): string | null {
  const [, code, enhanced] = /^(\d{3})(?:[ -](\d\.\d{1,3}\.\d{1,3})\b)?/.exec(String(response)) ?? [];
  if (code === undefined) return null;
  return enhanced === undefined ? code : `${code} ${enhanced}`;
}
