import { describe, expect, it } from '@jest/globals';
import { judgeMode, type Mode } from './delivery-mode.js';
import { type Reception } from './destination.js';

const reception = (sequence: number, partial: Partial<Reception> = {}): Reception => ({
  messageId: `m${sequence}`,
  subscriptionId: 2,
  subjectId: 9,
  bodyHash: 'a',
  attempt: 1,
  sequence,
  at: 0,
  inFlight: 1,
  statusCode: 204,
  arrived: 10 * sequence,
  accepted: 10 * sequence + 1,
  ...partial,
});
const judge = (mode: Mode, receptions: readonly Reception[], exhausted: readonly string[] = []) =>
  judgeMode(
    mode,
    exhausted.map((message_id) => ({ message_id, event_id: 1, subscription_id: 2, sequence: 1, status: 'exhausted' })),
    receptions,
  );
const late = { accepted: 25 };

describe('the order of received messages', () => {
  it('is kept when each message arrives after the one before was accepted', () => {
    for (const mode of ['plain', 'strict', 'batch', 'throttle'] as const)
      expect(judge(mode, [reception(1), reception(2), reception(3)]).outOfOrder).toEqual([]);
  });

  it('is broken by a message that arrives before the one before was accepted', () => {
    for (const mode of ['plain', 'strict', 'batch', 'throttle'] as const)
      expect(judge(mode, [reception(1, late), reception(2)]).outOfOrder).toHaveLength(1);
    expect(judge('strict', [reception(1, { accepted: null }), reception(2)]).outOfOrder).toHaveLength(1);
    expect(judge('strict', [reception(1, { subjectId: 8, ...late }), reception(2)]).outOfOrder).toHaveLength(1);
  });

  it('of subjects is not broken by a message about another subject', () => {
    expect(judge('batch', [reception(1, { subjectId: 8, ...late }), reception(2)]).outOfOrder).toEqual([]);
  });

  it('is broken by a message that arrives while the one before waits for a retry', () => {
    for (const mode of ['plain', 'strict', 'batch', 'throttle'] as const)
      expect(judge(mode, [reception(1, { attempt: 2, ...late }), reception(2)]).outOfOrder).toHaveLength(1);
  });

  it('is kept in a batch that repeats an earlier message', () => {
    const failed = reception(1, { accepted: null });
    const [first, second] = [1, 2].map((sequence) => reception(sequence, { arrived: 30, accepted: 31 }));
    expect(judge('batch', [failed, ...[first, second].flatMap((one) => one ?? [])]).outOfOrder).toEqual([]);
    expect(judge('batch', [failed, reception(2, { arrived: 30, accepted: 31 })]).outOfOrder).toHaveLength(1);
  });

  it('ignores repetitions, and messages that are given up', () => {
    expect(judge('strict', [reception(1), reception(2), reception(1, { arrived: 30 })]).outOfOrder).toEqual([]);
    expect(judge('strict', [reception(1, { accepted: null }), reception(2)], ['m1']).outOfOrder).toEqual([]);
  });
});

describe('the limits of received messages', () => {
  const at = (...times: readonly number[]) => times.map((time, index) => reception(index + 1, { at: time }));

  it('of a throttle hold in every window', () => {
    expect(judge('throttle', at(0, 1, 2, 3, 4, 1_000, 1_001)).excess).toEqual([]);
    expect(judge('throttle', at(0, 1, 2, 3, 4, 999)).excess).toHaveLength(1);
    expect(judge('throttle', at(0, 900, 901, 902, 903, 1_000, 1_001)).excess).toHaveLength(1);
  });

  it('of a batch are its size and the order of its messages', () => {
    const batch = (sequences: readonly number[]) => sequences.map((n) => reception(n, { arrived: 7, accepted: 8 }));
    expect(judge('batch', batch([1, 2, 5])).excess).toEqual([]);
    expect(judge('batch', batch([2, 1])).excess).toHaveLength(1);
    expect(judge('batch', batch([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])).excess).toHaveLength(1);
  });
});
