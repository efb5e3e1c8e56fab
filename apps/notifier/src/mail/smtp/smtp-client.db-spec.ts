import { afterEach, describe, expect, it } from '@jest/globals';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { type SmtpServer } from '../../config/mail-variables.js';
import { selfSigned } from '../../../test/certificate.js';
import { MailServer, Refusal } from '../../../test/mail-server.js';
import { type ClaimedMail } from '../store/claimed-mail.js';
import { SmtpClient, type SmtpTimeouts } from './smtp-client.js';

const servers: { stop(): Promise<void> }[] = [];
const clients: SmtpClient[] = [];
const sender = { from: { name: 'Büro, Süd', address: 'jobs@example.com' }, domain: 'ats.example.com' };
const PATIENT: SmtpTimeouts = { connectMs: 60_000, greetingMs: 60_000, silenceMs: 60_000, attemptMs: 60_000 };
/** A limit that a test runs into. */
const SHORT_MS = 300;
/** The intended limit ended the attempt, not another one. */
const IN_TIME_MS = 10_000;

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const mail = (changes: Partial<ClaimedMail> = {}): ClaimedMail => ({
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

async function startServer(options: Parameters<typeof MailServer.start>[0] = {}): Promise<MailServer> {
  const server = await MailServer.start(options);
  servers.push(server);
  return server;
}
function connect(port: number, changes: Partial<SmtpServer> = {}, timeouts?: SmtpTimeouts): SmtpClient {
  const client = new SmtpClient(
    { host: '127.0.0.1', port, isSecure: false, login: null, ...changes },
    sender,
    timeouts,
  );
  clients.push(client);
  return client;
}
/** Starts a server that handles connections as the test says. */
async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push({
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  });
  return (server.address() as { port: number }).port;
}

describe('an e-mail', () => {
  it('has text, HTML and identifying headers', async () => {
    const server = await startServer();
    expect(await connect(server.port).send(mail())).toMatchObject({ error: null, reply: null });
    const { mail: arrived, envelope, raw } = server.only;
    expect(envelope).toEqual({ from: 'jobs@example.com', to: ['robin@example.com'] });
    expect(arrived).toMatchObject({
      from: { name: 'Büro, Süd', address: 'jobs@example.com' },
      to: [{ name: '', address: 'robin@example.com' }],
      subject: 'Your application',
      messageId: '<018f4a5e-7a3b-4c1d-9e2f-0a1b2c3d4e5f@ats.example.com>',
      date: '2026-11-22T08:30:00.000Z',
    });
    expect(arrived.text?.trim()).toBe('Dear Robin');
    expect(arrived.html?.trim()).toBe('<p>Dear <b>Robin</b></p>');
    expect(raw).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(raw).toMatch(/^MIME-Version: 1\.0\r$/m);
  });

  it('supports any language', async () => {
    const server = await startServer();
    const text = 'Grüße aus Köln — 你好 🌻 مرحبا';
    await connect(server.port).send(mail({ subject: text, body: `<p>${text}</p>` }));
    const { mail: arrived, raw } = server.only;
    expect([arrived.subject, arrived.text?.trim(), arrived.html?.trim()]).toEqual([text, text, `<p>${text}</p>`]);
    const headers = raw.slice(0, raw.indexOf('\r\n\r\n'));
    // eslint-disable-next-line no-control-regex -- only ASCII is allowed there
    expect(headers).toMatch(/^[\u0000-\u007f]*$/);
  });

  it.each([
    ['subject', { subject: 'Hello\r\nBcc: evil@example.com\r\n\r\n<b>body</b>' }],
    ['subject', { subject: `${'x'.repeat(990)}\nBcc: evil@example.com` }],
    ['address', { to: ['robin@example.com\r\nBcc: evil@example.com'] }],
    ['address', { to: ['robin@example.com, evil@example.com'] }],
    ['address', { to: ['robin@example.com> <evil@example.com'] }],
    ['address', { to: ['"x" <evil@example.com>, robin@example.com'] }],
  ])('gets no headers and no recipients from its %s', async (_, changes) => {
    const server = await startServer();
    const { error } = await connect(server.port).send(mail(changes));
    for (const { mail: arrived, envelope, raw } of server.received) {
      expect(arrived.bcc).toBeUndefined();
      expect(raw).not.toMatch(/^Bcc/im);
      expect(envelope.to).not.toContain('evil@example.com');
      expect(envelope.to).toHaveLength(1);
    }
    expect(error).toBe('subject' in changes ? null : 'rejected');
    expect(server.received).toHaveLength('subject' in changes ? 1 : 0);
  });

  it('reads no files and no URLs that its text names', async () => {
    const server = await startServer();
    const html = '<img src="file:///etc/passwd"><img src="http://127.0.0.1:1/x">';
    expect(await connect(server.port).send(mail({ body: html }))).toMatchObject({ error: null });
    expect(server.only.mail.html?.trim()).toBe(html);
    expect(server.only.mail.attachments).toEqual([]);
  });

  it('shares a few connections with other e-mails', async () => {
    const server = await startServer();
    const client = connect(server.port);
    await Promise.all(Array.from({ length: 60 }, () => client.send(mail())));
    expect(server.received).toHaveLength(60);
    expect(server.connections).toBeLessThanOrEqual(10);
  });
});

describe('an answer of the server', () => {
  it.each([
    ['rejects the recipient permanently', 550, '5.1.1 no such user', 'rejected', '550 5.1.1'],
    ['rejects the recipient permanently without an enhanced code', 553, 'no', 'rejected', '553'],
    ['rejects the recipient temporarily', 450, '4.2.1 try later', 'deferred', '450 4.2.1'],
    ['reports an overload', 421, '4.7.0 too many', 'deferred', '421 4.7.0'],
    ['reports a grey list', 454, '4.7.1 greylisted', 'deferred', '454 4.7.1'],
    ['denies relaying', 554, '5.7.1 <robin@example.com>: Relay access denied', 'relaying', '554 5.7.1'],
    ['denies relaying with an unusual code', 550, '5.1.2 Relay not allowed', 'relaying', '550 5.1.2'],
    ['denies relaying without an enhanced code', 550, 'relay not permitted', 'relaying', '550'],
    [
      'denies relaying in other words',
      553,
      `sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)`,
      'relaying',
      '553',
    ],
    [
      'rejects the sender late',
      553,
      '5.7.1 <jobs@example.com>: Sender address rejected: not owned by user',
      'policy',
      '553 5.7.1',
    ],
    [
      'rejects the domain of the sender late',
      550,
      '5.1.8 <jobs@example.com>: Sender address rejected',
      'policy',
      '550 5.1.8',
    ],
    ['requires a login', 530, '5.7.0 authentication required', 'login', '530 5.7.0'],
    ['rejects the order of commands', 503, '5.5.1 MAIL first', 'deferred', '503 5.5.1'],
    ['rejects the name of this machine', 504, '5.5.2 <localhost>: Helo command rejected', 'deferred', '504 5.5.2'],
  ])('%s: %i %s', async (_, code, text, error, reply) => {
    const server = await startServer();
    server.answerRecipient = () => new Refusal(code, text);
    expect(await connect(server.port).send(mail())).toMatchObject({ error, reply });
  });

  it.each([
    ['550 5.1.1 <ADDRESS>: Recipient address rejected', 'rejected'],
    ['550 5.4.4 <ADDRESS>: unrouteable', 'rejected'],
    ['550 5.7.1 <ADDRESS>: Recipient address rejected', 'policy'],
    ['554 5.7.1 <ADDRESS>: Relay access denied', 'policy'],
    ['550 ADDRESS... User unknown', 'policy'],
    ['550 no such user', 'rejected'],
  ])('is not read as denied relaying when it quotes the address: %s', async (answer, error) => {
    for (const address of [
      'relay.smith@example.com',
      'joe@mail.Relay.example',
      'rcpthosts@example.com',
      'not.relaying@example.com',
    ]) {
      const server = await startServer();
      server.answerRecipient = () =>
        new Refusal(Number(answer.slice(0, 3)), answer.slice(4).replace('ADDRESS', address));
      expect(await connect(server.port).send(mail({ to: [address] }))).toMatchObject({ error });
    }
  });

  it.each([
    [554, '5.7.1 spam', 'rejected', '554 5.7.1'],
    [552, '5.3.4 too large', 'rejected', '552 5.3.4'],
    [451, '4.7.1 greylisted', 'deferred', '451 4.7.1'],
  ])('classifies a rejected message: %i %s', async (code, text, error, reply) => {
    const server = await startServer();
    server.answer = () => new Refusal(code, text);
    expect(await connect(server.port).send(mail())).toMatchObject({ error, reply });
  });

  it.each([
    [550, '5.7.1 not your address', 'sender'],
    [530, '5.7.0 authentication required', 'login'],
    [451, '4.3.0 later', 'deferred'],
    [552, '5.3.4 too large', 'rejected'],
  ])('classifies a rejected sender: %i %s', async (code, text, error) => {
    const server = await startServer();
    server.answerSender = () => new Refusal(code, text);
    expect(await connect(server.port).send(mail())).toMatchObject({ error });
  });

  it('is no rejection of the message when it rejects every connection', async () => {
    const port = await listen((socket) => void socket.end('554 5.3.2 no service\r\n'));
    expect(await connect(port).send(mail())).toMatchObject({ error: 'connection', reply: '554 5.3.2' });
  });
});

describe('the connection to the server', () => {
  it('fails when the port is closed', async () => {
    const server = await startServer();
    const { port } = server;
    await server.stop();
    expect(await connect(port).send(mail())).toMatchObject({ error: 'connection' });
  });

  it('ends in time without a greeting', async () => {
    const silent = await listen(() => undefined);
    const { error, durationMs } = await connect(silent, {}, { ...PATIENT, greetingMs: SHORT_MS }).send(mail());
    expect(error).toBe('timeout');
    expect(durationMs).toBeLessThan(IN_TIME_MS);
  });

  it('ends in time without an answer to the message', async () => {
    const server = await startServer();
    server.answer = () => new Promise(() => undefined);
    const { error, durationMs } = await connect(server.port, {}, { ...PATIENT, silenceMs: SHORT_MS }).send(mail());
    expect(error).toBe('timeout');
    expect(durationMs).toBeLessThan(IN_TIME_MS);
    expect(server.received).toHaveLength(1);
  });

  it('ends in time when the server answers byte by byte', async () => {
    const timers: NodeJS.Timeout[] = [];
    const port = await listen((socket) => {
      socket.write('220 slow\r\n');
      timers.push(setInterval(() => socket.write('250-x\r\n'), 50));
    });
    const { error, durationMs } = await connect(port, {}, { ...PATIENT, attemptMs: SHORT_MS }).send(mail());
    timers.forEach(clearInterval);
    expect(error).toBe('timeout');
    expect(durationMs).toBeLessThan(IN_TIME_MS);
  });

  it('sends the message once when the server closes it after the message', async () => {
    const server = await startServer();
    let socket: Socket | undefined;
    const port = await listen((incoming) => {
      socket = incoming;
      const onward = createConnection(server.port, '127.0.0.1').on('error', () => undefined);
      incoming.pipe(onward).pipe(incoming);
    });
    server.answer = () => void socket?.destroy();
    expect(await connect(port).send(mail())).toMatchObject({ error: 'connection' });
    expect(server.received).toHaveLength(1);
  });

  it('is opened again within the same attempt when the server closed a kept connection', async () => {
    const server = await startServer();
    const client = connect(server.port);
    for (let count = 1; count <= 3; count++) {
      expect(await client.send(mail())).toMatchObject({ error: null });
      server.hangUp();
    }
    expect([server.received.length, server.connections]).toEqual([3, 3]);
  });
});

describe('TLS', () => {
  const localhost = { host: 'localhost' };
  const certificate = selfSigned();

  it('is used when the server offers it, and an untrusted certificate is rejected', async () => {
    const server = await startServer(certificate);
    expect(await connect(server.port, localhost).send(mail())).toMatchObject({ error: 'tls' });
    const secure = await startServer({ ...certificate, secure: true });
    expect(await connect(secure.port, { ...localhost, isSecure: true }).send(mail())).toMatchObject({ error: 'tls' });
    expect([...server.received, ...secure.received]).toEqual([]);
  });

  it('is required with a password, except for a server on this machine', async () => {
    const server = await startServer();
    const login = { user: 'ats', password: 'secret' };
    // Resolves to this machine, but is no loopback name.
    expect(await connect(server.port, { host: '0.0.0.0', login }).send(mail())).toMatchObject({ error: 'tls' });
    expect(await connect(server.port, { host: '0.0.0.0' }).send(mail())).toMatchObject({ error: null });
    expect(await connect(server.port, { login }).send(mail())).toMatchObject({ error: null });
  });
});

describe('a login', () => {
  it('uses the user and password of SMTP_URL', async () => {
    const server = await startServer({ allowInsecureAuth: true, authOptional: false });
    const seen: unknown[] = [];
    server.answerLogin = ({ username, password }) => seen.push([username, password]) > 0;
    expect(
      await connect(server.port, { login: { user: 'me@example.com', password: 'p@ss/wörd' } }).send(mail()),
    ).toMatchObject({ error: null });
    expect(seen).toEqual([['me@example.com', 'p@ss/wörd']]);
  });

  it('causes the error `login` when it is rejected or missing', async () => {
    const server = await startServer({ allowInsecureAuth: true, authOptional: false });
    server.answerLogin = () => false;
    expect(await connect(server.port, { login: { user: 'ats', password: 'mistyped' } }).send(mail())).toMatchObject({
      error: 'login',
      reply: '535 5.7.8',
    });
    expect(await connect(server.port).send(mail())).toMatchObject({ error: 'login' });
    expect(server.received).toEqual([]);
  });
});
