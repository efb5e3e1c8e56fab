import { type MailError, type MailOutcome } from './mail-outcome.js';

/** The properties of nodemailer's errors. */
interface SmtpFailure {
  /** Nodemailer's error code. */
  readonly code?: unknown;
  /** The code of the error in Node or OpenSSL that caused nodemailer's error. */
  readonly originalCode?: unknown;
  /** The code of the server's answer, such as 550. */
  readonly responseCode?: unknown;
  readonly response?: unknown;
  /** The command that the server has answered. `CONN` before the first command, `API` when nothing was sent. */
  readonly command?: unknown;
  /** The rejected recipients, as they were sent to the server. */
  readonly rejected?: unknown;
}

interface Reply {
  readonly code: number;
  /** The enhanced status code (RFC 3463), such as `5.1.1`. Empty when the server sends none. */
  readonly enhanced: string;
  readonly text: string;
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

/** Matches codes of Node and OpenSSL for a failed handshake or an invalid certificate. */
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|EPROTO|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_|HOSTNAME_)/;

/**
 * Answers about authentication (RFC 4954, section 6): it is required (530), it failed (534, 535), or it requires TLS
 * (538).
 */
const LOGIN_REPLIES: ReadonlySet<number> = new Set([530, 534, 535, 538]);
/**
 * Answers about the session: bad sequence of commands (503), or a rejected host name (504). The message itself is not
 * rejected.
 */
const SESSION_REPLIES: ReadonlySet<number> = new Set([503, 504]);
/**
 * The message is too large. Servers may send this code in answer to MAIL FROM, which states the size. RFC 1870, section
 * 6.1.
 */
const TOO_LARGE = 552;
/** Matches the texts of servers that refuse to relay mail for this client. */
const RELAYING = /\brelay|\brcpthosts\b/i;
/**
 * Matches e-mail addresses that contain a word of `RELAYING`. The server may quote such an address in its text. The
 * word in the text then does not show that the server refuses to relay.
 */
const NAMES_RELAYING = /relay|rcpthosts/i;
/**
 * Matches enhanced codes about a policy or the sender's address. Some servers check client and sender late, so they
 * send these codes in their answer to the recipient. RFC 3463, sections 3.2 and 3.8.
 */
const NOT_OF_RECIPIENT = /^5\.(7\.\d+|1\.[78])$/;

/** Returns the error code of a failed attempt, and the codes of the server's answer. */
export function classifyMailError(error: unknown): Pick<MailOutcome, 'error' | 'reply'> {
  const failure: SmtpFailure = typeof error === 'object' && error !== null ? error : {};
  const reply = readReply(failure);
  return { error: classOf(failure, reply), reply: reply && [reply.code, reply.enhanced].filter(Boolean).join(' ') };
}

function classOf(failure: SmtpFailure, reply: Reply | null): MailError {
  const { code, originalCode } = failure;
  if (TLS_CODE.test(String(originalCode))) return 'tls';
  if (reply && code !== 'ETLS') return classOfReply(reply, failure);
  // Nodemailer itself rejects an address or a size that does not fit into an SMTP command.
  if (code === 'EMESSAGE' || code === 'EENVELOPE') return 'rejected';
  return BY_CODE.get(code) ?? 'failed';
}

/**
 * Classifies an answer of the server. Errors that only an operator can repair are recognised by the command and the
 * codes. They are never recognised by the text of the answer, which may quote any input of users.
 */
function classOfReply(reply: Reply, { code, command, rejected }: SmtpFailure): MailError {
  if (code === 'EAUTH' || LOGIN_REPLIES.has(reply.code)) return 'login';
  if (reply.code < 500 || SESSION_REPLIES.has(reply.code)) return 'deferred';
  if (command === 'MAIL FROM') return reply.code === TOO_LARGE ? 'rejected' : 'sender';
  if (command === 'RCPT TO') return classOfRecipient(reply, rejected);
  // Only a rejection of DATA concerns the message. A server that rejects an earlier command has not seen the message.
  return command === 'DATA' || code === 'EMESSAGE' ? 'rejected' : 'connection';
}

/**
 * Classifies a rejected recipient. A server that refuses to relay must not fail thousands of e-mails, and an address
 * that contains "relay" must not raise an alarm.
 */
function classOfRecipient({ enhanced, text }: Reply, refused: unknown): MailError {
  const soundsLikeRelaying = RELAYING.test(text);
  if (soundsLikeRelaying && !NAMES_RELAYING.test(String(refused))) return 'relaying';
  const isInDoubt = enhanced === '' ? soundsLikeRelaying : NOT_OF_RECIPIENT.test(enhanced);
  return isInDoubt ? 'policy' : 'rejected';
}

function readReply({ response }: SmtpFailure): Reply | null {
  const text = String(response);
  const [, code, enhanced = ''] = /^(\d{3})(?:[ -](\d\.\d{1,3}\.\d{1,3})\b)?/.exec(text) ?? [];
  return code === undefined ? null : { code: Number(code), enhanced, text };
}
