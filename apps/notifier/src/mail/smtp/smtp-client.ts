import { createTransport, type SMTPPoolOptions, type SMTPPoolSentMessageInfo, type Transporter } from 'nodemailer';
import { isMailAddress, type SmtpServer } from '../../config/mail-variables.js';
import { classifyMailError } from './classify-mail-error.js';
import { type OutgoingMail, type Sender, toMessage } from './mail-message.js';
import { type MailOutcome } from './mail-outcome.js';

/** Concurrent e-mails of one process. Servers accept few connections from one client. */
export const MAILS_AT_ONCE = 5;

/** Timeouts of each phase and of the whole attempt, which must end well before the lease. */
export interface SmtpTimeouts {
  /** Name resolution, connection and TLS together. */
  readonly connectMs: number;
  readonly greetingMs: number;
  /**
   * Longest silence of the server. Some servers scan a message for a minute before they answer. A shorter timeout would
   * send such a message twice.
   */
  readonly silenceMs: number;
  readonly attemptMs: number;
}

const TIMEOUTS: SmtpTimeouts = { connectMs: 10_000, greetingMs: 20_000, silenceMs: 120_000, attemptMs: 150_000 };
/** Idle time of a kept connection. Shorter than the idle timeout of servers. */
const IDLE_MS = 30_000;

/** Sends e-mails to the configured mail server, over a few connections that are kept open. */
export class SmtpClient {
  private readonly transport: Transporter<SMTPPoolSentMessageInfo, SMTPPoolOptions>;

  constructor(
    server: SmtpServer,
    private readonly sender: Sender,
    private readonly timeouts: SmtpTimeouts = TIMEOUTS,
  ) {
    this.transport = createTransport({ ...connectionOptions(server, timeouts), ...POOL, ...CONTENT });
  }

  /** Makes one attempt. Errors of the server or the connection are part of the outcome and never reject. */
  async send(mail: OutgoingMail): Promise<MailOutcome> {
    // Rejects a text that is not one e-mail address: it could be read as several addresses, or as a part of an SMTP
    // command.
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

/** Certificates are always verified, also with STARTTLS. */
const connectionOptions = (
  { host, port, isSecure, login }: SmtpServer,
  { connectMs, greetingMs, silenceMs }: SmtpTimeouts,
): SMTPPoolOptions => ({
  host,
  port,
  secure: isSecure,
  tls: { rejectUnauthorized: true },
  ...(login && { auth: { user: login.user, pass: login.password } }),
  // With a password, TLS is required unless the server is on this machine: an attacker could hide the STARTTLS offer.
  requireTLS: login !== null && !LOOPBACK.test(host),
  connectionTimeout: connectMs,
  dnsTimeout: connectMs,
  greetingTimeout: greetingMs,
  socketTimeout: silenceMs,
});

const POOL = {
  pool: true,
  // Twice MAILS_AT_ONCE: after Redis was lost, jobs of Bull and jobs without Bull may run at the same time.
  maxConnections: 2 * MAILS_AT_ONCE,
  idleTimeout: IDLE_MS,
  // Within one attempt, sends again once when the server closes a kept connection before it got a byte of the message.
  maxRequeues: 1,
} as const;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Texts of messages must not make nodemailer read files or URLs. */
const CONTENT = { disableFileAccess: true, disableUrlAccess: true } as const;
