import { describe, expect, it } from '@jest/globals';
import { MAIL_ERRORS, type MailError } from './smtp/mail-outcome.js';
import { nextStep } from './next-step.js';
import { type NextStep } from './store/finish-mail.js';

const next = (attempts: number, error: MailError | null): NextStep =>
  nextStep(attempts, { error }, { schedule: [60, 300], random: () => 0.5 });

describe('nextStep', () => {
  it('returns sent when the server accepted the e-mail', () => {
    expect(next(1, null)).toEqual({ status: 'sent' });
    expect(next(9, null)).toEqual({ status: 'sent' });
  });

  it('returns failed when the server rejected the e-mail permanently', () => {
    expect(next(1, 'rejected')).toEqual({ status: 'failed', reason: 'rejected' });
  });

  it('returns due after any other error, until the schedule is exhausted', () => {
    for (const error of Object.keys(MAIL_ERRORS) as MailError[]) {
      if (error === 'rejected') continue;
      expect(next(1, error)).toEqual({ status: 'due', delayMs: 66_000 });
      expect(next(2, error)).toEqual({ status: 'due', delayMs: 330_000 });
      expect(next(3, error)).toEqual({ status: 'failed', reason: 'exhausted' });
    }
  });
});
