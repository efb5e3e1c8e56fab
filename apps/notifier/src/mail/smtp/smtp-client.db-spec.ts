// @group sample: npm test runs a quarter of its tests
import { describe, expect, it } from '@jest/globals';
import { createConnection, type Socket } from 'node:net';
import { freePort } from '@ats/postgres/testing';
import { selfSigned } from '../../../test/certificate.js';
import { eventually } from '../../../test/eventually.js';
import { exampleMail, useSmtpConnections } from '../../../test/smtp-connections.js';
import { type SmtpTimeouts } from './smtp-client.js';

const PATIENT: SmtpTimeouts = { connectMs: 120_000, greetingMs: 120_000, silenceMs: 120_000, attemptMs: 120_000 };
/** The timeout that the test makes the client exceed. */
const SHORT_MS = 300;
/**
 * An attempt that takes less time than this was ended by the limit that the test has shortened: all other limits are
 * longer.
 */
const IN_TIME_MS = 60_000;

const smtp = useSmtpConnections();

describe('an e-mail', () => {
  it('has text, HTML and identifying headers', async () => {
    const server = await smtp.startServer();
    expect(await smtp.connect(server.port).send(exampleMail())).toMatchObject({ error: null, reply: null });
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
    const server = await smtp.startServer();
    const text = 'Grüße aus Köln — 你好 🌻 مرحبا';
    await smtp.connect(server.port).send(exampleMail({ subject: text, body: `<p>${text}</p>` }));
    const { mail: arrived, raw } = server.only;
    expect([arrived.subject, arrived.text?.trim(), arrived.html?.trim()]).toEqual([text, text, `<p>${text}</p>`]);
    const headers = raw.slice(0, raw.indexOf('\r\n\r\n'));
    // oxlint-disable-next-line no-control-regex -- only ASCII is allowed there
    expect(headers).toMatch(/^[\u0000-\u007f]*$/);
  });

  it.each([
    ['subject', { subject: 'Hello\r\nBcc: evil@example.com\r\n\r\n<b>body</b>' }],
    ['subject', { subject: `${'x'.repeat(990)}\nBcc: evil@example.com` }],
    ['address', { to: ['robin@example.com\r\nBcc: evil@example.com'] }],
    ['address', { to: ['robin@example.com, evil@example.com'] }],
    ['address', { to: ['robin@example.com> <evil@example.com'] }],
    ['address', { to: ['"x" <evil@example.com>, robin@example.com'] }],
  ])('gets no further headers or recipients from values in its %s', async (_, changes) => {
    const server = await smtp.startServer();
    const { error } = await smtp.connect(server.port).send(exampleMail(changes));
    for (const { mail: arrived, envelope, raw } of server.received) {
      expect(arrived.bcc).toBeUndefined();
      expect(raw).not.toMatch(/^Bcc/im);
      expect(envelope.to).not.toContain('evil@example.com');
      expect(envelope.to).toHaveLength(1);
    }
    expect(error).toBe('subject' in changes ? null : 'rejected');
    expect(server.received).toHaveLength('subject' in changes ? 1 : 0);
  });

  it('attaches no files and no contents of URLs that its text names', async () => {
    const server = await smtp.startServer();
    const html = '<img src="file:///etc/passwd"><img src="http://127.0.0.1:1/x">';
    expect(await smtp.connect(server.port).send(exampleMail({ body: html }))).toMatchObject({ error: null });
    expect(server.only.mail.html?.trim()).toBe(html);
    expect(server.only.mail.attachments).toEqual([]);
  });

  it('shares a few connections with other e-mails', async () => {
    const server = await smtp.startServer();
    const client = smtp.connect(server.port);
    await Promise.all(Array.from({ length: 60 }, () => client.send(exampleMail())));
    expect(server.received).toHaveLength(60);
    expect(server.connections).toBeLessThanOrEqual(10);
  });
});

describe('the connection to the mail server', () => {
  it('fails when the port is closed', async () => {
    expect(await smtp.connect(await freePort()).send(exampleMail())).toMatchObject({ error: 'connection' });
  });

  it('ends in time when the server sends no greeting', async () => {
    const silent = await smtp.listen(() => undefined);
    const { error, durationMs } = await smtp
      .connect(silent, {}, { ...PATIENT, greetingMs: SHORT_MS })
      .send(exampleMail());
    expect(error).toBe('timeout');
    expect(durationMs).toBeLessThan(IN_TIME_MS);
  });

  it('ends in time when the server does not answer the message', async () => {
    const server = await smtp.startServer();
    server.answer = () => new Promise(() => undefined);
    const client = smtp.connect(server.port, {}, { ...PATIENT, silenceMs: SHORT_MS });
    // On a busy machine, an earlier command may exceed the short limit, and the message is not sent at all.
    await eventually(async () => {
      server.received.length = 0;
      const { error, durationMs } = await client.send(exampleMail());
      expect(error).toBe('timeout');
      expect(durationMs).toBeLessThan(IN_TIME_MS);
      expect(server.received).toHaveLength(1);
    });
  });

  it('ends in time when the server answers byte by byte', async () => {
    const timers: NodeJS.Timeout[] = [];
    const port = await smtp.listen((socket) => {
      socket.write('220 slow\r\n');
      timers.push(setInterval(() => socket.write('250-x\r\n'), 50));
    });
    const { error, durationMs } = await smtp.connect(port, {}, { ...PATIENT, attemptMs: SHORT_MS }).send(exampleMail());
    timers.forEach(clearInterval);
    expect(error).toBe('timeout');
    expect(durationMs).toBeLessThan(IN_TIME_MS);
  });

  it('sends the message once when the server closes the connection after receiving the message', async () => {
    const server = await smtp.startServer();
    let socket: Socket | undefined;
    const port = await smtp.listen((incoming) => {
      socket = incoming;
      const onward = createConnection(server.port, '127.0.0.1').on('error', () => undefined);
      incoming.pipe(onward).pipe(incoming);
    });
    server.answer = () => void socket?.destroy();
    expect(await smtp.connect(port).send(exampleMail())).toMatchObject({ error: 'connection' });
    expect(server.received).toHaveLength(1);
  });

  it('is opened again within the same attempt when the server closed a kept connection', async () => {
    const server = await smtp.startServer();
    const client = smtp.connect(server.port);
    for (let count = 1; count <= 3; count++) {
      expect(await client.send(exampleMail())).toMatchObject({ error: null });
      server.hangUp();
    }
    expect([server.received.length, server.connections]).toEqual([3, 3]);
  });
});

describe('TLS', () => {
  const localhost = { host: 'localhost' };
  const certificate = selfSigned();

  it('is used when the server offers it, and an untrusted certificate is rejected', async () => {
    const server = await smtp.startServer(certificate);
    expect(await smtp.connect(server.port, localhost).send(exampleMail())).toMatchObject({ error: 'tls' });
    const secure = await smtp.startServer({ ...certificate, secure: true });
    expect(await smtp.connect(secure.port, { ...localhost, isSecure: true }).send(exampleMail())).toMatchObject({
      error: 'tls',
    });
    expect([...server.received, ...secure.received]).toEqual([]);
  });

  it('is required with a password, except for a server on this machine', async () => {
    const server = await smtp.startServer();
    const login = { user: 'ats', password: 'secret' };
    // This address belongs to this machine, but it is not a loopback address.
    expect(await smtp.connect(server.port, { host: '0.0.0.0', login }).send(exampleMail())).toMatchObject({
      error: 'tls',
    });
    expect(await smtp.connect(server.port, { host: '0.0.0.0' }).send(exampleMail())).toMatchObject({ error: null });
    expect(await smtp.connect(server.port, { login }).send(exampleMail())).toMatchObject({ error: null });
  });
});

describe('a login', () => {
  it('uses the user and password of SMTP_URL', async () => {
    const server = await smtp.startServer({ allowInsecureAuth: true, authOptional: false });
    const seen: unknown[] = [];
    server.answerLogin = ({ username, password }) => seen.push([username, password]) > 0;
    expect(
      await smtp.connect(server.port, { login: { user: 'me@example.com', password: 'p@ss/wörd' } }).send(exampleMail()),
    ).toMatchObject({ error: null });
    expect(seen).toEqual([['me@example.com', 'p@ss/wörd']]);
  });

  it('leads to the error `login` when it is rejected or missing', async () => {
    const server = await smtp.startServer({ allowInsecureAuth: true, authOptional: false });
    server.answerLogin = () => false;
    expect(
      await smtp.connect(server.port, { login: { user: 'ats', password: 'mistyped' } }).send(exampleMail()),
    ).toMatchObject({
      error: 'login',
      reply: '535 5.7.8',
    });
    expect(await smtp.connect(server.port).send(exampleMail())).toMatchObject({ error: 'login' });
    expect(server.received).toEqual([]);
  });
});
