import { type Random, retryDelayMs } from '../delivery/retry-schedule.js';
import { type MailOutcome } from './smtp/mail-outcome.js';
import { type NextStep } from './store/finish-mail.js';

export interface RetryOptions {
  /** Delays in seconds after the first, the second, … failed attempt. */
  readonly schedule: readonly number[];
  readonly random: Random;
}

/**
 * Decides about the next step after an attempt. Only a permanent rejection of the e-mail fails it at once. Any other
 * cause, such as a mistyped password, may be repaired before the schedule is exhausted.
 * @param attempts  number of attempts, including this one
 */
export function nextStep(
  attempts: number,
  { error }: Pick<MailOutcome, 'error'>,
  { schedule, random }: RetryOptions,
): NextStep {
  if (error === null) return { status: 'sent' };
  if (error === 'rejected') return { status: 'failed', reason: 'rejected' };
  const delayMs = retryDelayMs(attempts, { schedule, random, retryAfterMs: null });
  return delayMs === null ? { status: 'failed', reason: 'exhausted' } : { status: 'due', delayMs };
}
