import { expect, it } from '@jest/globals';
import { senderOf, toMessage } from './mail-message.js';

it.each([
  ['https://ats.example.com', 'no-reply@ats.example.com'],
  ['https://ats.example.com:8443/jobs', 'no-reply@ats.example.com'],
  ['http://localhost:3000', 'no-reply@localhost'],
  ['http://127.0.0.1:3000', 'no-reply@[127.0.0.1]'],
  ['http://[::1]:3000', 'no-reply@[IPv6:::1]'],
  ['https://bücher.example', 'no-reply@xn--bcher-kva.example'],
])('senderOf returns MAIL_FROM, and for the public URL %s the default sender %s', (baseUrl, address) => {
  expect(senderOf(baseUrl, undefined)).toEqual({
    from: { name: '', address },
    domain: address.slice(address.indexOf('@') + 1),
  });
  const from = { name: 'Jobs', address: 'jobs@example.com' };
  expect(senderOf(baseUrl, from).from).toBe(from);
});

it('toMessage writes the URLs of links into the plain text', () => {
  const body =
    '<p>Dear Robin,</p><p>please fill in <a href="https://ats.example.com/form?id=7&amp;x=1">the form</a>.</p>';
  const written = {
    id: 1,
    communication_id: 2,
    message_id: '018f4a5e-7a3b-4c1d-9e2f-0a1b2c3d4e5f',
    attempts: 1,
    request_id: null,
    traceparent: null,
    to: ['robin@example.com'],
    subject: 'Invitation',
    written_dt: new Date(0),
  };
  const { text, html } = toMessage({ ...written, body }, senderOf('https://ats.example.com', undefined));
  expect([text, html]).toEqual([
    'Dear Robin,\n\nplease fill in the form <https://ats.example.com/form?id=7&x=1>.',
    body,
  ]);
});
