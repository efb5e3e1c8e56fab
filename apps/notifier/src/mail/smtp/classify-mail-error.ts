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
  /** The recipients that were refused, as they were named to the server. */
  readonly rejected?: unknown;
}

interface Reply {
  readonly code: number;
  /** `5.1.1`; empty where the server says no such thing. Source: RFC 3463. */
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

/** Of Node and OpenSSL, for a certificate or a handshake that will not do. */
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|EPROTO|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_|HOSTNAME_)/;

/** Authentication is wanted (530), was refused (534, 535) or needs TLS (538), whatever command is answered. Source: RFC 4954, 6. */
const LOGIN_REPLIES: ReadonlySet<number> = new Set([530, 534, 535, 538]);
/** The session was out of step (503), or the name of this machine will not do (504): neither says anything about the message. */
const SESSION_REPLIES: ReadonlySet<number> = new Set([503, 504]);
/** Too large for the server, which it may say as soon as the sender names the size. Source: RFC 1870, 6.1. */
const TOO_LARGE = 552;
/** As servers say that they do not pass on mail for this client. */
const RELAYING = /\brelay|\brcpthosts\b/i;
/** An address with such a word in it, which an answer may quote in any form. */
const NAMES_RELAYING = /relay|rcpthosts/i;
/** Of policies, and of the sender's address: servers that judge client and sender late answer so to the recipient. Source: RFC 3463, 3.2 and 3.8. */
const NOT_OF_RECIPIENT = /^5\.(7\.\d+|1\.[78])$/;

/** The class of a failed attempt, and the numbers of the server's answer. */
export function classifyMailError(error: unknown): Pick<MailOutcome, 'error' | 'reply'> {
  const failure: SmtpFailure = typeof error === 'object' && error !== null ? error : {};
  const reply = readReply(failure);
  return { error: classOf(failure, reply), reply: reply && [reply.code, reply.enhanced].filter(Boolean).join(' ') };
}

function classOf(failure: SmtpFailure, reply: Reply | null): MailError {
  const { code, originalCode } = failure;
  if (TLS_CODE.test(String(originalCode))) return 'tls';
  if (reply && code !== 'ETLS') return classOfReply(reply, failure);
  // Refused by nodemailer itself, as the server would: the address or the size cannot be put into its commands.
  if (code === 'EMESSAGE' || code === 'EENVELOPE') return 'rejected';
  return BY_CODE.get(code) ?? 'failed';
}

/** What only the operator can mend is told by the command that was answered and by numbers: text may quote what anybody has chosen. */
function classOfReply(reply: Reply, { code, command, rejected }: SmtpFailure): MailError {
  if (code === 'EAUTH' || LOGIN_REPLIES.has(reply.code)) return 'login';
  if (reply.code < 500 || SESSION_REPLIES.has(reply.code)) return 'deferred';
  if (command === 'MAIL FROM') return reply.code === TOO_LARGE ? 'rejected' : 'sender';
  if (command === 'RCPT TO') return classOfRecipient(reply, rejected);
  // A server that sends everybody away has not looked at this message.
  return command === 'DATA' || code === 'EMESSAGE' ? 'rejected' : 'connection';
}

/** A relay that lets nobody through must not cost thousands of e-mails; an address that merely sounds like one must not raise an alarm. */
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
