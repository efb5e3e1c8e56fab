import { createTransport, type SMTPPoolOptions, type SMTPPoolSentMessageInfo, type Transporter } from 'nodemailer';
import { isMailAddress, type SmtpServer } from '../../config/mail-variables.js';
import { classifyMailError } from './classify-mail-error.js';
import { type ClaimedMail } from '../store/claimed-mail.js';
import { MAILS_AT_ONCE } from '../store/mail-job.js';
import { type Sender, toMessage } from './mail-message.js';
import { type MailOutcome } from './mail-outcome.js';

/** For each phase, and for the whole: it ends well within the lease. */
export interface SmtpTimeouts {
  /** Names, connection and TLS. */
  readonly connectMs: number;
  readonly greetingMs: number;
  /** Without a word from the server. Some look through a message for a minute before they answer: who gives up sooner sends it twice. */
  readonly silenceMs: number;
  readonly attemptMs: number;
}

const TIMEOUTS: SmtpTimeouts = { connectMs: 10_000, greetingMs: 20_000, silenceMs: 120_000, attemptMs: 150_000 };
/** Kept this long for the next e-mail: shorter than servers keep it. */
const IDLE_MS = 30_000;

/** Hands e-mails to the server of this installation, over a few connections that are kept for the next ones. */
export class SmtpClient {
  private readonly transport: Transporter<SMTPPoolSentMessageInfo, SMTPPoolOptions>;

  constructor(
    server: SmtpServer,
    private readonly sender: Sender,
    private readonly timeouts: SmtpTimeouts = TIMEOUTS,
  ) {
    this.transport = createTransport({ ...connectionOptions(server, timeouts), ...POOL, ...CONTENT });
  }

  /** One attempt. Never rejects for a fault of the server or of the way to it. */
  async send(mail: ClaimedMail): Promise<MailOutcome> {
    // What is no address would be read as several, or as a part of a command.
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

  /** What is still under way fails. */
  close(): void {
    this.transport.close({ force: true });
  }
}

/** The certificate is checked, in STARTTLS too: a server that offers it and cannot prove who it is gets nothing. */
const connectionOptions = (
  { host, port, isSecure, login }: SmtpServer,
  { connectMs, greetingMs, silenceMs }: SmtpTimeouts,
): SMTPPoolOptions => ({
  host,
  port,
  secure: isSecure,
  tls: { rejectUnauthorized: true },
  ...(login && { auth: { user: login.user, pass: login.password } }),
  // A password goes over TLS alone, or nowhere but to this machine: whoever stands in between could hide that the server offers STARTTLS.
  requireTLS: login !== null && !LOOPBACK.test(host),
  connectionTimeout: connectMs,
  dnsTimeout: connectMs,
  greetingTimeout: greetingMs,
  socketTimeout: silenceMs,
});

const POOL = {
  pool: true,
  // Twice, for the moment after a loss of Redis when jobs of Bull and others run beside one another.
  maxConnections: 2 * MAILS_AT_ONCE,
  idleTimeout: IDLE_MS,
  // For a kept connection that the server closes just as it is used again, before a byte of the message was sent: part of the same attempt.
  maxRequeues: 1,
} as const;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** No text of a message makes the service read a file or an address. */
const CONTENT = { disableFileAccess: true, disableUrlAccess: true } as const;
