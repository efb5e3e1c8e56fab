import { type Random, retryDelayMs } from '../delivery/retry-schedule.js';
import { type MailOutcome } from './smtp/mail-outcome.js';
import { type NextStep } from './store/finish-mail.js';

export interface RetryOptions {
  /** Seconds to wait after the first, the second, … failed attempt. */
  readonly schedule: readonly number[];
  readonly random: Random;
}

/**
 * Decides what follows an attempt. Only a permanent rejection ends the e-mail at once. All other errors may be repaired
 * before the schedule is exhausted, a mistyped password included.
 * @param attempts  number of attempts, this one included
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
