import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, type Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerAuthentication, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

export interface ReceivedMail {
  readonly raw: string;
  readonly mail: Email;
  /** The sender and the recipients of the SMTP commands. The addresses in the headers may differ. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly isEncrypted: boolean;
}

/** The answer of the server to a message. Undefined means 250. */
export type Answer = (received: ReceivedMail) => Refusal | undefined | Promise<Refusal | undefined>;

/** A negative SMTP reply, such as `new Refusal(550, '5.1.1 no such user')`. */
export class Refusal extends Error {
  constructor(
    readonly responseCode: number,
    text: string,
  ) {
    super(text);
  }
}

/**
 * A real mail server on this machine. By default, it accepts and keeps all e-mails. With a certificate, it offers
 * STARTTLS.
 */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  answer: Answer = () => undefined;
  answerRecipient: (address: string) => Refusal | undefined = () => undefined;
  answerSender: (address: string) => Refusal | undefined = () => undefined;
  answerLogin: (login: SMTPServerAuthentication) => boolean = () => true;
  connections = 0;

  private readonly server: SMTPServer;
  /** All open sockets, including those that have sent QUIT. */
  private readonly sockets = new Set<Socket>();

  constructor(options: SMTPServerOptions = {}) {
    this.server = new SMTPServer({
      disabledCommands: options.cert ? [] : ['STARTTLS'],
      authOptional: true,
      disableReverseLookup: true,
      closeTimeout: 100,
      logger: false,
      ...options,
      onConnect: (_, done) => {
        this.connections += 1;
        done();
      },
      onMailFrom: ({ address }, _, done) => done(this.answerSender(address)),
      onRcptTo: ({ address }, _, done) => done(this.answerRecipient(address)),
      onAuth: (login, _, done) =>
        this.answerLogin(login)
          ? done(null, { user: login.username })
          : done(new Refusal(535, '5.7.8 authentication failed')),
      onData: (stream, session, done) => {
        this.receive(stream, session).then(
          (refusal) => done(refusal),
          (error: unknown) => done(error instanceof Error ? error : new Error('unknown')),
        );
      },
    });
    // Some tests close connections early, so errors are ignored.
    this.server.on('error', () => undefined);
  }

  static async start(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
    const server = new MailServer(options);
    await server.listen(port);
    return server;
  }

  async listen(port = 0): Promise<void> {
    const { server } = this.server;
    server.on('connection', (socket: Socket) =>
      this.sockets.add(socket.once('close', () => this.sockets.delete(socket))),
    );
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  get messageIds(): readonly string[] {
    return this.received.map(({ mail }) => mail.messageId ?? '');
  }

  /**
   * Returns the only received e-mail.
   * @throws when there is none, or more than one
   */
  get only(): ReceivedMail {
    const [only, ...others] = this.received;
    if (!only || others.length > 0)
      throw new Error(`expected one e-mail, but the mail server received ${this.received.length}`);
    return only;
  }

  /** Closes all connections without a reply. */
  hangUp(): void {
    for (const { _socket: socket } of this.server.connections) socket.destroy();
  }

  stop(): Promise<void> {
    return new Promise((resolve) =>
      this.server.close(() => {
        for (const socket of this.sockets) socket.destroy();
        resolve();
      }),
    );
  }

  private async receive(
    stream: AsyncIterable<Buffer>,
    { envelope, secure }: SMTPServerSession,
  ): Promise<Refusal | undefined> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const raw = Buffer.concat(chunks);
    const received = {
      raw: raw.toString('utf8'),
      mail: await PostalMime.parse(raw),
      envelope: {
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo.map(({ address }) => address),
      },
      isEncrypted: secure,
    };
    this.received.push(received);
    return this.answer(received);
  }
}

/**
 * Gives a spec file its own mail server. Before each test, its received e-mails are deleted and it accepts all e-mails
 * again.
 */
export function useMailServer(): MailServer {
  const server = new MailServer();
  beforeAll(() => server.listen());
  beforeEach(() => {
    server.received.length = 0;
    server.answer = () => undefined;
    server.answerRecipient = () => undefined;
  });
  afterAll(() => server.stop());
  return server;
}
