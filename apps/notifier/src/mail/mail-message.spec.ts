import { expect, it } from '@jest/globals';
import { senderOf } from './mail-message.js';

it.each([
  ['https://ats.example.com', 'no-reply@ats.example.com'],
  ['https://ats.example.com:8443/jobs', 'no-reply@ats.example.com'],
  ['http://localhost:3000', 'no-reply@localhost'],
  ['http://127.0.0.1:3000', 'no-reply@[127.0.0.1]'],
  ['http://[::1]:3000', 'no-reply@[IPv6:::1]'],
  ['https://bücher.example', 'no-reply@xn--bcher-kva.example'],
])('e-mails of %s come from %s unless told otherwise', (baseUrl, address) => {
  expect(senderOf(baseUrl, undefined)).toEqual({ from: { name: '', address }, domain: address.slice(address.indexOf('@') + 1) });
  const from = { name: 'Jobs', address: 'jobs@example.com' };
  expect(senderOf(baseUrl, from).from).toBe(from);
});
