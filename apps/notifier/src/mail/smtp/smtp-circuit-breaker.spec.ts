import { describe, expect, it } from '@jest/globals';
import { ServerGate } from './smtp-circuit-breaker.js';

function createGate(): { gate: ServerGate; pass: (ms: number) => void } {
  let now = 0;
  return { gate: new ServerGate(() => now), pass: (ms) => void (now += ms) };
}

describe('the gate before the mail server', () => {
  it('is open while the server works, whatever it says of recipients', () => {
    const { gate } = createGate();
    for (const error of [null, 'rejected', 'deferred', 'relaying', 'policy', 'failed'] as const) {
      gate.note(error);
      gate.begun(10);
      expect(gate.allows(10)).toBe(10);
    }
  });

  it.each(['login', 'sender', 'tls', 'connection', 'timeout'] as const)(
    'closes after a fault of the server (%s), lets one through, and opens when that arrives',
    (error) => {
      const { gate, pass } = createGate();
      gate.note(error);
      expect(gate.allows(10)).toBe(0);
      pass(999);
      expect(gate.allows(10)).toBe(0);
      pass(1);
      expect(gate.allows(10)).toBe(1);
      expect(gate.allows(0)).toBe(0);
      gate.begun(1);
      expect(gate.allows(10)).toBe(0);
      gate.note(null);
      expect(gate.allows(10)).toBe(10);
    },
  );

  it('tries twice as seldom each time, once a minute in the end, whatever hears of it', () => {
    for (const isToldHere of [true, false]) {
      const { gate, pass } = createGate();
      gate.note('login');
      const pauses: number[] = [];
      for (let round = 0; round < 9; round++) {
        let waited = 0;
        for (; gate.allows(5) === 0; waited += 500) pass(500);
        pauses.push(waited / 1_000);
        gate.begun(1);
        // The job may have gone to another process, and what came of it too.
        if (isToldHere) gate.note('login');
      }
      expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    }
  });

  it('counts once what failed together, and waits no longer when there was nothing to try with', () => {
    const { gate, pass } = createGate();
    for (let count = 0; count < 5; count++) gate.note('timeout');
    pass(1_000);
    gate.begun(0);
    expect(gate.allows(5)).toBe(1);
    gate.begun(1);
    pass(1_999);
    expect(gate.allows(5)).toBe(0);
    pass(1);
    expect(gate.allows(5)).toBe(1);
  });
});
