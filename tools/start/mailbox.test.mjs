// @ts-check
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createTransport } from 'nodemailer';
import { startMailbox } from './mailbox.mjs';

const dir = mkdtempSync(join(tmpdir(), 'mailbox-'));
/** @type {import('./mailbox.mjs').Mailbox} */
let mailbox;
/** @type {import('nodemailer').Transporter} */
let transport;

before(async () => {
  mailbox = await startMailbox({ dir });
  transport = createTransport({ url: mailbox.smtpUrl, pool: true, maxConnections: 1, maxMessages: 1000 });
});

after(async () => {
  transport.close();
  await mailbox.stop();
  rmSync(dir, { recursive: true });
});

/**
 * Sends an e-mail to the mailbox.
 * @param {Partial<import('nodemailer').SendMailOptions>} mail
 */
const send = (mail) => transport.sendMail({ from: 'no-reply@example.com', to: 'someone@example.com', ...mail });

/**
 * Reads a page of the mailbox.
 * @param {string} path
 */
const page = async (path) => (await fetch(`${mailbox.url}${path}`)).text();

test('the mailbox shows an e-mail in the list and on a page of its own', async () => {
  await send({
    subject: 'Grüße & <b>more</b>',
    text: 'See <https://example.com/a?b=1&c=2> soon.',
    html: '<p>Hello</p>',
  });
  const list = await page('/');
  assert.match(list, /Grüße &#38; &#60;b&#62;more/);
  assert.match(list, /to someone@example.com/);
  const path = /href="(\/\d[^"]*)"/.exec(list)?.[1] ?? '';
  const mail = await page(path);
  assert.match(mail, /<a href="https:\/\/example.com\/a\?b=1&#38;c=2" rel="noreferrer">https:[^<>]*<\/a>&#62; soon/);
  assert.match(await page(`${path}/html`), /<p>Hello<\/p>/);
  assert.match(await page(`${path}/source`), /^From: no-reply@example\.com/m);
});

test('the mailbox shows HTML without scripts, and in a sandbox', async () => {
  await send({ subject: 'hostile', text: '<script>1</script>', html: '<script>2</script>' });
  const path = /href="(\/\d[^"]*)"/.exec(await page('/'))?.[1] ?? '';
  const answer = await fetch(`${mailbox.url}${path}`);
  assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const body = await answer.text();
  assert.doesNotMatch(body, /<script>/);
  assert.match(body, /<iframe sandbox="allow-popups allow-popups-to-escape-sandbox"/);
});

test('the mailbox refuses requests for other host names and for files that are no e-mails', async () => {
  const { port } = new URL(mailbox.url);
  const status = await new Promise((resolve) =>
    request({ port, host: '127.0.0.1', headers: { host: 'evil.example' } }, (answer) =>
      resolve(answer.statusCode),
    ).end(),
  );
  assert.equal(status, 421);
  for (const path of ['/..%2f..%2fetc%2fpasswd', '/none.eml', '/1-1.eml/html'])
    assert.equal((await fetch(`${mailbox.url}${path}`)).status, 404);
});

test('the mailbox keeps the newest 200 e-mails, readable for their owner only', async () => {
  for (let sent = 0; sent < 203; sent++) await send({ subject: `number ${sent}`, text: 'text' });
  const files = readdirSync(dir);
  assert.equal(files.length, 200);
  assert.equal(statSync(join(dir, files[0] ?? '')).mode & 0o777, 0o600);
  const list = await page('/');
  assert.match(list, /number 202/);
  assert.match(list, /number 3</);
  assert.doesNotMatch(list, /number 2</);
});
