import { describe, expect, it } from '@jest/globals';
import { SmtpCircuitBreaker } from './smtp-circuit-breaker.js';

function createBreaker(): { breaker: SmtpCircuitBreaker; pass: (ms: number) => void } {
  let now = 0;
  return { breaker: new SmtpCircuitBreaker(() => now), pass: (ms) => void (now += ms) };
}

describe('the circuit breaker of the mail server', () => {
  it('allows all e-mails while the server works, regardless of errors about recipients', () => {
    const { breaker } = createBreaker();
    for (const error of [null, 'rejected', 'deferred', 'relaying', 'policy', 'failed'] as const) {
      breaker.recordResult(error);
      breaker.recordStarted(10);
      expect(breaker.limit(10)).toBe(10);
    }
  });

  it.each(['login', 'sender', 'tls', 'connection', 'timeout'] as const)(
    'pauses after a server error (%s), allows one trial, and allows all when it succeeds',
    (error) => {
      const { breaker, pass } = createBreaker();
      breaker.recordResult(error);
      expect(breaker.limit(10)).toBe(0);
      pass(999);
      expect(breaker.limit(10)).toBe(0);
      pass(1);
      expect(breaker.limit(10)).toBe(1);
      expect(breaker.limit(0)).toBe(0);
      breaker.recordStarted(1);
      expect(breaker.limit(10)).toBe(0);
      breaker.recordResult(null);
      expect(breaker.limit(10)).toBe(10);
    },
  );

  it('doubles each pause up to one minute, also when another process receives the results', () => {
    for (const isToldHere of [true, false]) {
      const { breaker, pass } = createBreaker();
      breaker.recordResult('login');
      const pauses: number[] = [];
      for (let round = 0; round < 9; round++) {
        let waited = 0;
        for (; breaker.limit(5) === 0; waited += 500) pass(500);
        pauses.push(waited / 1_000);
        breaker.recordStarted(1);
        // The pauses must be the same without this result, because it may reach the circuit breaker of another process.
        if (isToldHere) breaker.recordResult('login');
      }
      expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    }
  });

  it('counts concurrent failures once, and lengthens the pause only after a trial e-mail', () => {
    const { breaker, pass } = createBreaker();
    for (let count = 0; count < 5; count++) breaker.recordResult('timeout');
    pass(1_000);
    breaker.recordStarted(0);
    expect(breaker.limit(5)).toBe(1);
    breaker.recordStarted(1);
    pass(1_999);
    expect(breaker.limit(5)).toBe(0);
    pass(1);
    expect(breaker.limit(5)).toBe(1);
  });
});
