import { describe, expect, it } from '@jest/globals';
import { SmtpCircuitBreaker } from './smtp-circuit-breaker.js';

function createGate(): { breaker: SmtpCircuitBreaker; pass: (ms: number) => void } {
  let now = 0;
  return { breaker: new SmtpCircuitBreaker(() => now), pass: (ms) => void (now += ms) };
}

describe('the circuit breaker of the mail server', () => {
  it('is open while the server works, whatever it says of recipients', () => {
    const { breaker } = createGate();
    for (const error of [null, 'rejected', 'deferred', 'relaying', 'policy', 'failed'] as const) {
      breaker.recordResult(error);
      breaker.recordStarted(10);
      expect(breaker.limit(10)).toBe(10);
    }
  });

  it.each(['login', 'sender', 'tls', 'connection', 'timeout'] as const)(
    'closes after a fault of the server (%s), lets one through, and opens when that arrives',
    (error) => {
      const { breaker, pass } = createGate();
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

  it('tries twice as seldom each time, once a minute in the end, whatever hears of it', () => {
    for (const isToldHere of [true, false]) {
      const { breaker, pass } = createGate();
      breaker.recordResult('login');
      const pauses: number[] = [];
      for (let round = 0; round < 9; round++) {
        let waited = 0;
        for (; breaker.limit(5) === 0; waited += 500) pass(500);
        pauses.push(waited / 1_000);
        breaker.recordStarted(1);
        // The job may have gone to another process, and what came of it too.
        if (isToldHere) breaker.recordResult('login');
      }
      expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    }
  });

  it('counts once what failed together, and waits no longer when there was nothing to try with', () => {
    const { breaker, pass } = createGate();
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
