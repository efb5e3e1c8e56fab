import { plainTextWithLinks } from '@ats/rich-text';
import { type SendMailOptions } from 'nodemailer';
import { isIP } from 'node:net';
import { type MailAddress } from '../../config/mail-variables.js';
import { type ClaimedMail } from '../store/claimed-mail.js';

export interface Sender {
  readonly from: MailAddress;
  /** Of this service: behind the `@` of each Message-ID. */
  readonly domain: string;
}

/** @param from  none: `no-reply@` the host under which clients reach the API */
export function senderOf(publicBaseUrl: string, from: MailAddress | undefined): Sender {
  const domain = mailDomain(new URL(publicBaseUrl).hostname);
  return { from: from ?? { name: '', address: `no-reply@${domain}` }, domain };
}

/**
 * The e-mail of a communication. The same on every attempt, so that whoever gets it twice can tell by its Message-ID.
 * Whether a person or a program wrote it is unknown here; `Auto-Submitted` keeps holiday notices from answering an address that nobody
 * reads (RFC 3834, 5).
 */
export const toMessage = (mail: ClaimedMail, { from, domain }: Sender): SendMailOptions => ({
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

/** An address stands in brackets there. Source: RFC 5321, 4.1.3. */
function mailDomain(hostname: string): string {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) === 0) return host;
  return isIP(host) === 6 ? `[IPv6:${host}]` : `[${host}]`;
}
