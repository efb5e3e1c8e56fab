import { createTransport, type SMTPPoolOptions, type SMTPPoolSentMessageInfo, type Transporter } from 'nodemailer';
import { isMailAddress, type SmtpServer } from '../../config/mail-variables.js';
import { classifyMailError } from './classify-mail-error.js';
import { type OutgoingMail, type Sender, toMessage } from './mail-message.js';
import { type MailOutcome } from './mail-outcome.js';

/**
 * Maximum number of e-mails that one process sends at the same time. Servers accept only few connections from a client.
 */
export const MAILS_AT_ONCE = 5;

/** Timeouts of each phase and of the whole attempt. The attempt must end well before its lease. */
export interface SmtpTimeouts {
  /** Timeout of name resolution, connection and TLS handshake together. */
  readonly connectMs: number;
  readonly greetingMs: number;
  /**
   * The longest time without a byte from the server. Some servers scan a message for a minute before they answer. With
   * a shorter timeout, such a message would be sent twice.
   */
  readonly silenceMs: number;
  readonly attemptMs: number;
}

const TIMEOUTS: SmtpTimeouts = { connectMs: 10_000, greetingMs: 20_000, silenceMs: 120_000, attemptMs: 150_000 };
/** Time for which an idle connection is kept. It is shorter than the idle timeout of servers. */
const IDLE_MS = 30_000;

/** Sends e-mails to the configured mail server. It keeps a few connections open. */
export class SmtpClient {
  private readonly transport: Transporter<SMTPPoolSentMessageInfo, SMTPPoolOptions>;

  constructor(
    server: SmtpServer,
    private readonly sender: Sender,
    private readonly timeouts: SmtpTimeouts = TIMEOUTS,
  ) {
    this.transport = createTransport({ ...connectionOptions(server, timeouts), ...POOL, ...CONTENT });
  }

  /**
   * Makes one attempt. Errors of the server or the connection are a part of the outcome: they do not reject the
   * promise.
   */
  async send(mail: OutgoingMail): Promise<MailOutcome> {
    // A text that is not exactly one e-mail address is rejected: it could be read as several addresses, or as a part of
    // an SMTP command.
    if (!mail.to.every(isMailAddress)) return { error: 'rejected', reply: null, durationMs: 0 };
    const startedAt = performance.now();
    const durationMs = (): number => Math.round(performance.now() - startedAt);
    try {
      await this.transport.sendMail({
        ...toMessage(mail, this.sender),
        signal: AbortSignal.timeout(this.timeouts.attemptMs),
      });
      return { error: null, reply: null, durationMs: durationMs() };
    } catch (error) {
      return { ...classifyMailError(error), durationMs: durationMs() };
    }
  }

  /** Closes all connections. Running attempts fail. */
  close(): void {
    this.transport.close({ force: true });
  }
}

/** The options of the connection. Certificates are always verified, also with STARTTLS. */
const connectionOptions = (
  { host, port, isSecure, login }: SmtpServer,
  { connectMs, greetingMs, silenceMs }: SmtpTimeouts,
): SMTPPoolOptions => ({
  host,
  port,
  secure: isSecure,
  tls: { rejectUnauthorized: true },
  ...(login && { auth: { user: login.user, pass: login.password } }),
  // With a password, TLS is required unless the server is on this machine. Otherwise an attacker could hide the
  // server's offer of STARTTLS, and read the password.
  requireTLS: login !== null && !LOOPBACK.test(host),
  connectionTimeout: connectMs,
  dnsTimeout: connectMs,
  greetingTimeout: greetingMs,
  socketTimeout: silenceMs,
});

const POOL = {
  pool: true,
  // This is twice MAILS_AT_ONCE: after an outage of Redis, jobs of Bull and jobs without Bull may run at the same time.
  maxConnections: 2 * MAILS_AT_ONCE,
  idleTimeout: IDLE_MS,
  // When the server closes a kept connection before it has got a byte of the message, the message is sent once more
  // within the same attempt.
  maxRequeues: 1,
} as const;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Prevents nodemailer from reading files or URLs that the text of a message names. */
const CONTENT = { disableFileAccess: true, disableUrlAccess: true } as const;
