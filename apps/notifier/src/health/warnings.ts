import { type Readings } from '../metrics/readings.js';

/** What somebody should look at although the notifier works: it stays ready. */
export interface Warning {
  /** Stable; the README says what to do about each. */
  readonly code:
    | 'outbox_age'
    | 'due_age'
    | 'quarantined_events'
    | 'reconciliation_difference'
    | 'direct_mode'
    | 'mail_age'
    | 'mail_refused'
    | 'not_known';
  readonly info: string;
}

const OLD_SECONDS = 60;
/** E-mails are not as urgent, and some servers are slow. */
const OLD_MAIL_SECONDS = 300;

export async function readWarnings(readings: Readings): Promise<readonly Warning[]> {
  const [outbox, breakers, reconciliation, mail] = await Promise.all([
    readings.outbox.get(),
    readings.breakers.get(),
    readings.reconciliation.get(),
    readings.mail?.get(),
  ]);
  const warnings: Warning[] = [];
  const warn = (code: Warning['code'], info: string): number => warnings.push({ code, info });
  // Destinations that fail let their deliveries wait; that is for their owners to mend.
  const dueAge = breakers?.find(({ state }) => state === 'closed')?.oldestDueMax ?? 0;
  if (outbox && outbox.oldestAge > OLD_SECONDS)
    warn('outbox_age', `an event has waited ${Math.floor(outbox.oldestAge)} s to be matched`);
  if (dueAge > OLD_SECONDS)
    warn('due_age', `a delivery to a destination that works has been due for ${Math.floor(dueAge)} s`);
  if (outbox && outbox.quarantined > 0) warn('quarantined_events', `${outbox.quarantined} could not be matched`);
  if (reconciliation && reconciliation.difference > 0)
    warn('reconciliation_difference', `${reconciliation.difference} deliveries missing or unexpected`);
  if (readings.isDirect()) warn('direct_mode', 'Redis is away: sending without it');
  if (mail && mail.oldestDueAge > OLD_MAIL_SECONDS)
    warn('mail_age', `an e-mail has been due for ${Math.floor(mail.oldestDueAge)} s`);
  if (mail?.isRefused)
    warn('mail_refused', 'e-mails wait because of the login, the sender or the certificate of the mail server');
  if (!outbox || !breakers || !reconciliation || mail === null)
    warn('not_known', 'how notifications are doing could not be read');
  return warnings;
}
