// @group sample: npm test runs a quarter of its tests
import { describe, expect, it } from '@jest/globals';
import { Refusal } from '../../../test/mail-server.js';
import { exampleMail, useSmtpConnections } from '../../../test/smtp-connections.js';

const smtp = useSmtpConnections();

describe('an answer of the mail server', () => {
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
  ])('that %s has the right error code: %i %s', async (_, code, text, error, reply) => {
    const server = await smtp.startServer();
    server.answerRecipient = () => new Refusal(code, text);
    expect(await smtp.connect(server.port).send(exampleMail())).toMatchObject({ error, reply });
  });

  it.each([
    ['550 5.1.1 <ADDRESS>: Recipient address rejected', 'rejected'],
    ['550 5.4.4 <ADDRESS>: unrouteable', 'rejected'],
    ['550 5.7.1 <ADDRESS>: Recipient address rejected', 'policy'],
    ['554 5.7.1 <ADDRESS>: Relay access denied', 'policy'],
    ['550 ADDRESS... User unknown', 'policy'],
    ['550 no such user', 'rejected'],
  ])('does not count as denied relaying when it only quotes the address: %s', async (answer, error) => {
    for (const address of [
      'relay.smith@example.com',
      'joe@mail.Relay.example',
      'rcpthosts@example.com',
      'not.relaying@example.com',
    ]) {
      const server = await smtp.startServer();
      server.answerRecipient = () =>
        new Refusal(Number(answer.slice(0, 3)), answer.slice(4).replace('ADDRESS', address));
      expect(await smtp.connect(server.port).send(exampleMail({ to: [address] }))).toMatchObject({ error });
    }
  });

  it.each([
    [554, '5.7.1 spam', 'rejected', '554 5.7.1'],
    [552, '5.3.4 too large', 'rejected', '552 5.3.4'],
    [451, '4.7.1 greylisted', 'deferred', '451 4.7.1'],
  ])('that rejects the message has the right error code: %i %s', async (code, text, error, reply) => {
    const server = await smtp.startServer();
    server.answer = () => new Refusal(code, text);
    expect(await smtp.connect(server.port).send(exampleMail())).toMatchObject({ error, reply });
  });

  it.each([
    [550, '5.7.1 not your address', 'sender'],
    [530, '5.7.0 authentication required', 'login'],
    [451, '4.3.0 later', 'deferred'],
    [552, '5.3.4 too large', 'rejected'],
  ])('that rejects the sender has the right error code: %i %s', async (code, text, error) => {
    const server = await smtp.startServer();
    server.answerSender = () => new Refusal(code, text);
    expect(await smtp.connect(server.port).send(exampleMail())).toMatchObject({ error });
  });

  it('is an error of the connection, not of the message, when the server rejects every connection', async () => {
    const port = await smtp.listen((socket) => void socket.end('554 5.3.2 no service\r\n'));
    expect(await smtp.connect(port).send(exampleMail())).toMatchObject({ error: 'connection', reply: '554 5.3.2' });
  });
});
