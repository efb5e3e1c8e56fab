import { type FailedReason } from '@ats/domain';
import { type Random, retryDelayMs } from '../delivery/retry-schedule.js';
import { type MailOutcome } from './smtp/mail-outcome.js';

/** What becomes of an e-mail after an attempt. */
export type NextStep =
  | { readonly status: 'sent' }
  | { readonly status: 'due'; readonly delayMs: number }
  | { readonly status: 'failed'; readonly reason: FailedReason };

export interface RetryOptions {
  /** Seconds to wait after the first, the second, … failed attempt. */
  readonly schedule: readonly number[];
  readonly random: Random;
}

/**
 * Only the server's final word ends it at once. Whatever else may be mended meanwhile, a mistyped password included.
 * @param attempts  begun so far, this one included
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
