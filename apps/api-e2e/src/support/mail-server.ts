import { once } from 'node:events';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { progress } from './progress.js';
import { noteSecrets } from './run-log.js';
import { waitUntil } from './wait-until.js';

export interface ReceivedMail {
  readonly mail: Email;
  /** Recipients in the SMTP envelope. They may differ from those in the headers of the e-mail. */
  readonly to: readonly string[];
}

/** An SMTP server to which the service sends its e-mails. It accepts and stores all of them. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  private readonly server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, { envelope }, done) => {
      this.#receive(
        stream,
        envelope.rcptTo.map(({ address }) => address),
      ).then(() => done(), done);
    },
  });

  static async start(): Promise<MailServer> {
    const started = new MailServer();
    // A killed notifier aborts its connection.
    started.server.on('error', () => undefined);
    started.server.listen(0, '127.0.0.1');
    await once(started.server.server, 'listening');
    return started;
  }

  get url(): string {
    const address = this.server.server.address();
    if (address === null || typeof address === 'string')
      throw new Error('the mail server of the test does not listen on a TCP port');
    return `smtp://127.0.0.1:${address.port}`;
  }

  /** Waits until `count` e-mails have arrived. Repeated e-mails count, too. */
  async receive(count: number, timeoutMs = 100_000): Promise<readonly ReceivedMail[]> {
    await waitUntil(`${count} e-mails, ${this.mails.length} so far`, timeoutMs, () => this.mails.length >= count);
    return this.mails;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  async #receive(stream: AsyncIterable<Buffer>, to: readonly string[]): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const mail = await PostalMime.parse(Buffer.concat(chunks));
    noteSecrets(...to, /[?&]token=([\w-]+)/.exec(mail.text ?? '')?.[1]);
    this.mails.push({ mail, to });
    progress.emit('notifier');
  }
}
