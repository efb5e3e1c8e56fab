import { describe, expect, it } from '@jest/globals';
import { type Reception } from './destination.js';
import { type DeliveryRecord, Ledger, type Verdict } from './ledger.js';

const delivery = (partial: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  message_id: 'm1',
  event_id: 1,
  subscription_id: 2,
  sequence: 1,
  status: 'delivered',
  ...partial,
});
const reception = (partial: Partial<Reception> = {}): Reception => ({
  messageId: 'm1',
  subscriptionId: 2,
  subjectId: 9,
  bodyHash: 'a',
  attempt: 1,
  sequence: 1,
  at: 0,
  inFlight: 1,
  statusCode: 204,
  ...partial,
});

/** Event 1 is expected for subscription 2. */
function judge(deliveries: readonly DeliveryRecord[], receptions: readonly Reception[], badSignatures = 0): Verdict {
  const ledger = new Ledger();
  ledger.expect(1, 2);
  return ledger.verdict(deliveries, receptions, badSignatures);
}

const CLEAN = { duplicates: 0, missing: [], unexpected: [], changedBodies: [], sequenceGaps: [], badSignatures: 0 };

describe('the verdict', () => {
  it('is clean when what was expected arrived once, also after refusals', () => {
    expect(judge([delivery()], [reception()])).toMatchObject({
      ...CLEAN,
      messages: 1,
      requests: 1,
      byStatus: { delivered: 1 },
    });
    expect(judge([delivery()], [reception({ statusCode: 503 }), reception()])).toMatchObject({ ...CLEAN, requests: 2 });
  });

  it.each(['held', 'exhausted', 'cancelled'])('takes %s for an end', (status) => {
    expect(judge([delivery({ status })], [reception({ statusCode: 500 })])).toMatchObject(CLEAN);
  });

  it.each([
    ['there is no delivery', [], []],
    ['the delivery is on its way for ever', [delivery({ status: 'sending' })], [reception()]],
    ['it is said to be delivered and never came', [delivery()], []],
    ['it is said to be delivered and was refused', [delivery()], [reception({ statusCode: 500 })]],
  ])('misses a message when %s', (_, deliveries, receptions) => {
    expect(judge(deliveries, receptions).missing).toHaveLength(1);
  });

  it.each([
    ['another event', [delivery(), delivery({ event_id: 3, message_id: 'm2', sequence: 2 })], [reception()]],
    ['the same pair again', [delivery(), delivery({ message_id: 'm2', sequence: 2 })], [reception()]],
    ['a message that no delivery knows', [delivery()], [reception(), reception({ messageId: 'm2' })]],
    ['a message at another subscription', [delivery()], [reception(), reception({ subscriptionId: 4 })]],
  ])('did not expect %s', (_, deliveries, receptions) => {
    expect(judge(deliveries, receptions).unexpected).toHaveLength(1);
  });

  it('counts a message that came again though nobody refused it, with or without an answer', () => {
    expect(judge([delivery()], [reception(), reception(), reception({ statusCode: null })]).duplicates).toBe(2);
    expect(judge([delivery()], [reception({ statusCode: null }), reception()]).duplicates).toBe(1);
  });

  it('sees another body, a gap in the sequence, and passes on bad signatures', () => {
    expect(judge([delivery()], [reception({ statusCode: 500 }), reception({ bodyHash: 'b' })]).changedBodies).toEqual([
      'm1',
    ]);
    expect(judge([delivery({ sequence: 2 })], [reception()]).sequenceGaps).toEqual([
      'subscription 2: 2 where 1 was expected',
    ]);
    expect(judge([delivery()], [reception()], 7).badSignatures).toBe(7);
  });
});
