import { isIP } from 'node:net';
import { type EnvironmentOf, schemas, variable } from '@ats/configuration';
import addressparser from 'nodemailer/lib/addressparser';
import { z } from 'zod';
import { schedule } from './schedule.js';

/** The mail server that `SMTP_URL` names. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** True when the connection uses TLS from the first byte. Otherwise it uses STARTTLS if the server offers it. */
  readonly isSecure: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
}

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** Default ports for sending e-mail, without and with TLS from the first byte. RFC 6409, RFC 8314. */
const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;
const SMTP_URL_FORM =
  'must be smtp://host or smtps://host, optionally with user:password@ (percent-encoded) and :port, without a path';
const ACTIVATION_URL_FORM = 'must be http(s)://host and a path, without user, password or #';
const MAIL_FROM_FORM = 'must be one address, such as no-reply@example.com or Name <no-reply@example.com>';

/**
 * Reads `SMTP_URL`. It rejects a path, query or fragment, because nodemailer reads parameters there that can turn off
 * TLS checks.
 */
function readSmtpUrl(text: string): SmtpServer | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return null;
  const host = readHost(hostname);
  if (host === null || port === '0' || !['', '/'].includes(pathname) || search !== '' || hash !== '') return null;
  const [user, secret] = [decoded(username), decoded(password)];
  if (user === null || secret === null || (user === '') !== (secret === '')) return null;
  return {
    host,
    port: Number(port) || PORTS[protocol],
    isSecure: protocol === 'smtps:',
    login: user === '' ? null : { user, password: secret },
  };
}

/**
 * Matches a host name. Its labels may contain letters, digits, `-` and `_`, because names of containers can contain
 * `_`.
 */
const HOST_NAME = /^[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?(\.[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?)*\.?$/;

/**
 * Reads the host as part of an http URL, because the class `URL` checks and converts host names only for web schemes.
 */
function readHost(text: string): string | null {
  if (text === '' || !URL.canParse(`http://${text}`)) return null;
  const host = new URL(`http://${text}`).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) > 0 || HOST_NAME.test(host) ? host : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function readMailFrom(text: string): MailAddress | null {
  // oxlint-disable-next-line no-control-regex -- a line break would start another header
  if (/[\u0000-\u001f\u007f]/.test(text)) return null;
  const [only, ...others] = addressparser(text);
  if (only?.address === undefined || others.length > 0 || !isMailAddress(only.address)) return null;
  return { name: only.name, address: only.address };
}

/**
 * Reads the URL of a page. It rejects a user name and password, which e-mails must not contain. It rejects `#`, because
 * browsers do not send the text after it.
 */
function readPageUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, username, password, hash, href } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '' && hash === '' ? href : null;
}

/** True when the text is exactly one e-mail address, by the rule of HTML forms (WHATWG). */
export const isMailAddress = (text: string): boolean => z.regexes.html5Email.test(text);

/** The environment variables of e-mails. */
export const mailVariables = {
  SMTP_URL: variable({
    schema: schemas.readBy(readSmtpUrl, SMTP_URL_FORM),
    description:
      'The mail server: `smtp://` (port 587, STARTTLS if the server offers it) or `smtps://` ' +
      '(port 465, TLS from the first byte).',
    whenAbsent: 'e-mails are logged as communications and not sent',
    example: 'smtp://user:password@mail.example.com:587',
    isSecret: true,
  }),
  MAIL_FROM: variable({
    schema: schemas.readBy(readMailFrom, MAIL_FROM_FORM),
    description: 'The sender of all e-mails.',
    whenAbsent: '`no-reply@` and the host of `PUBLIC_BASE_URL`',
    example: 'Jobs <jobs@example.com>',
  }),
  MAIL_SCHEDULE: variable({
    schema: schedule,
    description:
      'Seconds to wait after each failed attempt to send an e-mail, plus a random 0 to 20 %. ' +
      'The default makes 11 attempts in about three days.',
    default: '60,300,900,3600,7200,14400,28800,43200,86400,86400',
  }),
  ACTIVATION_URL: variable({
    schema: schemas.readBy(readPageUrl, ACTIVATION_URL_FORM),
    description:
      'The page to which links in activation e-mails lead. `?token=` is appended. ' +
      "A page of the careers site, or the API's own.",
    whenAbsent: '`<PUBLIC_BASE_URL>/activate`, a page of the API',
    example: 'https://jobs.example.com/welcome',
  }),
} as const;

export type MailEnvironment = EnvironmentOf<typeof mailVariables>;
