import { plainTextWithLinks } from '@ats/rich-text';
import { type SendMailOptions } from 'nodemailer';
import { isIP } from 'node:net';
import { type MailAddress } from '../../config/mail-variables.js';

/** An e-mail as it is sent. */
export interface OutgoingMail {
  /** The part of the Message-ID before the `@`. */
  readonly message_id: string;
  readonly to: readonly string[];
  readonly subject: string | null;
  /** The body as HTML. */
  readonly body: string;
  readonly written_dt: Date;
}

export interface Sender {
  readonly from: MailAddress;
  /** The part of each Message-ID after the `@`. */
  readonly domain: string;
}

/**
 * Returns the sender of all e-mails.
 * @param from  defaults to `no-reply@` and the host of `publicBaseUrl`
 */
export function senderOf(publicBaseUrl: string, from: MailAddress | undefined): Sender {
  const domain = mailDomain(new URL(publicBaseUrl).hostname);
  return { from: from ?? { name: '', address: `no-reply@${domain}` }, domain };
}

/**
 * Makes the message for nodemailer. Every attempt gets the same message, so that receivers can recognise duplicates by
 * the Message-ID. `Auto-Submitted` prevents automatic replies, which nobody would read (RFC 3834, section 5).
 */
export const toMessage = (mail: OutgoingMail, { from, domain }: Sender): SendMailOptions => ({
  from: { ...from },
  to: mail.to.map((address) => ({ name: '', address })),
  envelope: { from: from.address, to: [...mail.to] },
  subject: mail.subject ?? '',
  text: plainTextWithLinks(mail.body),
  html: mail.body,
  messageId: `<${mail.message_id}@${domain}>`,
  date: mail.written_dt,
  headers: { 'Auto-Submitted': 'auto-generated' },
});

/** Returns the domain of e-mail addresses. An IP address is in brackets, as RFC 5321, section 4.1.3 requires. */
function mailDomain(hostname: string): string {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) === 0) return host;
  return isIP(host) === 6 ? `[IPv6:${host}]` : `[${host}]`;
}
