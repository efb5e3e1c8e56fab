import { afterEach } from '@jest/globals';
import { createServer, type Server, type Socket } from 'node:net';
import { type SmtpServer } from '../src/config/mail-variables.js';
import { SmtpClient, type SmtpTimeouts } from '../src/mail/smtp/smtp-client.js';
import { type ClaimedMail } from '../src/mail/store/claimed-mail.js';
import { MailServer } from './mail-server.js';

const SENDER = { from: { name: 'Büro, Süd', address: 'jobs@example.com' }, domain: 'ats.example.com' };

/** Returns an e-mail to `robin@example.com`. */
export const exampleMail = (changes: Partial<ClaimedMail> = {}): ClaimedMail => ({
  id: 1,
  communication_id: 2,
  message_id: '018f4a5e-7a3b-4c1d-9e2f-0a1b2c3d4e5f',
  attempts: 1,
  request_id: null,
  traceparent: null,
  to: ['robin@example.com'],
  subject: 'Your application',
  body: '<p>Dear <b>Robin</b></p>',
  written_dt: new Date('2026-11-22T08:30:00.250Z'),
  ...changes,
});

/** The mail servers of a test, and the clients that send to them. */
export class SmtpConnections {
  private readonly servers: { stop(): Promise<void> }[] = [];
  private readonly clients: SmtpClient[] = [];

  async startServer(options: Parameters<typeof MailServer.start>[0] = {}): Promise<MailServer> {
    const server = await MailServer.start(options);
    this.servers.push(server);
    return server;
  }

  connect(port: number, changes: Partial<SmtpServer> = {}, timeouts?: SmtpTimeouts): SmtpClient {
    const client = new SmtpClient(
      { host: '127.0.0.1', port, isSecure: false, login: null, ...changes },
      SENDER,
      timeouts,
    );
    this.clients.push(client);
    return client;
  }

  /**
   * Starts a server. The test decides how it handles connections.
   * @returns the port of the server
   */
  async listen(onConnection: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server: Server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      onConnection(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.servers.push({
      stop: () =>
        new Promise((resolve) => {
          for (const socket of sockets) socket.destroy();
          server.close(() => resolve());
        }),
    });
    return (server.address() as { port: number }).port;
  }

  /** Closes all clients and stops all servers. */
  async close(): Promise<void> {
    for (const client of this.clients.splice(0)) client.close();
    await Promise.all(this.servers.splice(0).map((server) => server.stop()));
  }
}

/** Gives a spec file its own mail servers, which are stopped after each test. */
export function useSmtpConnections(): SmtpConnections {
  const connections = new SmtpConnections();
  afterEach(() => connections.close());
  return connections;
}
