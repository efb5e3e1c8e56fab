import { type HealthWarning } from '@ats/nest-app';
import { type Readings } from '../metrics/readings.js';

/** A warning of `/health/ready`. The README explains each code. */
export type Warning = HealthWarning<
  | 'outbox_age'
  | 'due_age'
  | 'quarantined_events'
  | 'reconciliation_difference'
  | 'direct_mode'
  | 'mail_age'
  | 'mail_refused'
  | 'mail_off'
  | 'not_known'
>;

const OLD_SECONDS = 60;
/**
 * Time in seconds after which a due e-mail raises a warning. It is long, because e-mails are less urgent than
 * deliveries, and some mail servers are slow.
 */
const OLD_MAIL_SECONDS = 300;

export async function readWarnings(readings: Readings): Promise<readonly Warning[]> {
  const [outbox, breakers, reconciliation, mail, unsent] = await Promise.all([
    readings.outbox.get(),
    readings.breakers.get(),
    readings.reconciliation.get(),
    readings.mail?.get(),
    readings.unsentMail?.get(),
  ]);
  const warnings: Warning[] = [];
  const warn = (code: Warning['code'], info: string): number => warnings.push({ code, info });
  // Ignores subscriptions with an open circuit breaker. Their destinations fail, and only the owner of a destination
  // can repair it.
  const dueAge = breakers?.find(({ state }) => state === 'closed')?.oldestDueMax ?? 0;
  if (outbox && outbox.oldestAge > OLD_SECONDS)
    warn('outbox_age', `the oldest unmatched event is ${Math.floor(outbox.oldestAge)} s old`);
  if (dueAge > OLD_SECONDS)
    warn('due_age', `a delivery to a working destination has been due for ${Math.floor(dueAge)} s`);
  if (outbox && outbox.quarantined > 0) warn('quarantined_events', `${outbox.quarantined} events are quarantined`);
  if (reconciliation && reconciliation.difference > 0)
    warn('reconciliation_difference', `${reconciliation.difference} deliveries are missing or unexpected`);
  if (readings.isDirect()) warn('direct_mode', 'Redis is unavailable: sending without Redis');
  if (mail && mail.oldestDueAge > OLD_MAIL_SECONDS)
    warn('mail_age', `an e-mail has been due for ${Math.floor(mail.oldestDueAge)} s`);
  if (mail?.isRefused)
    warn('mail_refused', 'e-mails wait because of the login, the sender, relaying, the certificate or SECRET_KEY');
  if (unsent && unsent.oldestDueAge > OLD_MAIL_SECONDS)
    warn('mail_off', 'e-mails wait, and SMTP_URL is not set: they fail after 72 hours');
  if (!outbox || !breakers || !reconciliation || mail === null || unsent === null)
    warn('not_known', 'the state of notifications could not be read');
  return warnings;
}
