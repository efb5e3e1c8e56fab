// @ts-check
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../services/ports.mjs';
import { framedHtml, listPage, mailPage } from './mailbox-page.mjs';

/** Greatest number of stored e-mails. The mailbox deletes the oldest e-mails above this number. */
const MAILS_KEPT = 200;
const fileName = /^\d{13}-\d{4}\.eml$/;

/**
 * @typedef {object} Mailbox
 * @property {string} url page that shows the e-mails
 * @property {string} smtpUrl value for the variable `SMTP_URL`
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a mail server that keeps each e-mail as a file instead of sending it, and a page that shows them. Both listen
 * on the loopback address only.
 * @param {{ dir: string, pagePort?: number }} options `pagePort` is used when it is free
 * @returns {Promise<Mailbox>}
 */
export async function startMailbox({ dir, pagePort }) {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const smtpPort = await freePort();
  const port = await freePort(pagePort);
  const smtp = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 1000,
    onData: (stream, _, done) =>
      void keep(stream, dir).then(
        () => done(),
        (error) => done(error),
      ),
  });
  smtp.on('error', () => undefined); // Such an error comes from a client that ends its connection early.
  smtp.listen(smtpPort, '127.0.0.1');
  await once(smtp.server, 'listening');
  const hosts = new Set([`localhost:${port}`, `127.0.0.1:${port}`]);
  const web = createServer((request, response) => {
    // Refuses other host names, because a page of another site could read the e-mails through a name that resolves to
    // this machine.
    if (!hosts.has(request.headers.host ?? '')) return void response.writeHead(421).end();
    answer(request.url ?? '/', dir).then(
      ({ status, type, body }) => response.writeHead(status, { ...headers, 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  web.listen(port, '127.0.0.1');
  await once(web, 'listening');
  return {
    url: `http://localhost:${port}`,
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    async stop() {
      web.close();
      web.closeAllConnections();
      await new Promise((resolve) => smtp.close(() => resolve(undefined)));
    },
  };
}

/** Pages run no scripts and load nothing from other hosts, because an e-mail may contain any HTML. */
const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; frame-ancestors 'self'; form-action 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

let count = 0;

/**
 * Stores an e-mail, and deletes the oldest ones above the limit.
 * @param {AsyncIterable<Buffer>} stream @param {string} dir
 */
async function keep(stream, dir) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  const name = `${Date.now()}-${String(count++ % 10_000).padStart(4, '0')}.eml`;
  writeFileSync(join(dir, name), Buffer.concat(chunks), { mode: 0o600 });
  for (const old of names(dir).slice(MAILS_KEPT)) rmSync(join(dir, old), { force: true });
}

/** Returns the names of all e-mails, the newest first. @param {string} dir */
const names = (dir) =>
  readdirSync(dir)
    .filter((name) => fileName.test(name))
    .sort()
    .reverse();

/**
 * Returns the answer to a request for a page.
 * @param {string} url @param {string} dir
 * @returns {Promise<{ status: number, type: string, body: string | Buffer }>}
 */
async function answer(url, dir) {
  const { pathname } = new URL(url, 'http://localhost');
  const html = 'text/html; charset=utf-8';
  if (pathname === '/') {
    const mails = names(dir).map(async (name) => ({ name, mail: await read(dir, name) }));
    return { status: 200, type: html, body: listPage(await Promise.all(mails)) };
  }
  const [, name = '', part] = pathname.split('/');
  if (!names(dir).includes(name) || ![undefined, 'html', 'source'].includes(part))
    return { status: 404, type: 'text/plain; charset=utf-8', body: 'There is no such e-mail.\n' };
  if (part === 'source') return { status: 200, type: 'text/plain; charset=utf-8', body: readFileSync(join(dir, name)) };
  const mail = await read(dir, name);
  return { status: 200, type: html, body: part === 'html' ? framedHtml(mail) : mailPage(name, mail) };
}

/**
 * Reads and parses a stored e-mail.
 * @param {string} dir @param {string} name
 */
const read = (dir, name) => PostalMime.parse(readFileSync(join(dir, name)));
