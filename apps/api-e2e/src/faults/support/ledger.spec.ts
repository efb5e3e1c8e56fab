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
  arrived: 1,
  accepted: 2,
  ...partial,
});

/** Returns the verdict of a ledger that expects only event 1 for subscription 2. */
function verdictOf(
  deliveries: readonly DeliveryRecord[],
  receptions: readonly Reception[],
  badSignatures = 0,
): Verdict {
  const ledger = new Ledger();
  ledger.expect(1, 2);
  return ledger.verdict(deliveries, receptions, badSignatures);
}

const CLEAN = { duplicates: 0, missing: [], unexpected: [], changedBodies: [], sequenceGaps: [], badSignatures: 0 };

describe('the verdict about all received messages', () => {
  it('reports no error when every expected message was accepted once, even if it was refused before', () => {
    expect(verdictOf([delivery()], [reception()])).toMatchObject({
      ...CLEAN,
      messages: 1,
      requests: 1,
      byStatus: { delivered: 1 },
    });
    expect(verdictOf([delivery()], [reception({ statusCode: 503 }), reception()])).toMatchObject({
      ...CLEAN,
      requests: 2,
    });
  });

  it.each(['held', 'exhausted', 'cancelled'])('accepts %s as a final status', (status) => {
    expect(verdictOf([delivery({ status })], [reception({ statusCode: 500 })])).toMatchObject(CLEAN);
  });

  it.each([
    ['without a delivery', [], []],
    ['whose delivery is still sending', [delivery({ status: 'sending' })], [reception()]],
    ['that is marked as delivered but never arrived', [delivery()], []],
    ['that is marked as delivered but was refused', [delivery()], [reception({ statusCode: 500 })]],
  ])('reports a missing message %s', (_, deliveries, receptions) => {
    expect(verdictOf(deliveries, receptions).missing).toHaveLength(1);
  });

  it.each([
    [
      'a delivery of another event',
      [delivery(), delivery({ event_id: 3, message_id: 'm2', sequence: 2 })],
      [reception()],
    ],
    [
      'a second delivery of the same event and subscription',
      [delivery(), delivery({ message_id: 'm2', sequence: 2 })],
      [reception()],
    ],
    ['a message without a delivery', [delivery()], [reception(), reception({ messageId: 'm2' })]],
    ['a message to another subscription', [delivery()], [reception(), reception({ subscriptionId: 4 })]],
  ])('reports this as unexpected: %s', (_, deliveries, receptions) => {
    expect(verdictOf(deliveries, receptions).unexpected).toHaveLength(1);
  });

  it('counts repetitions of messages that were accepted or got no answer as duplicates', () => {
    expect(verdictOf([delivery()], [reception(), reception(), reception({ statusCode: null })]).duplicates).toBe(2);
    expect(verdictOf([delivery()], [reception({ statusCode: null }), reception()]).duplicates).toBe(1);
  });

  it('reports changed bodies, sequence gaps and invalid signatures', () => {
    expect(
      verdictOf([delivery()], [reception({ statusCode: 500 }), reception({ bodyHash: 'b' })]).changedBodies,
    ).toEqual(['m1']);
    expect(verdictOf([delivery({ sequence: 2 })], [reception()]).sequenceGaps).toEqual([
      'subscription 2: 2 where 1 was expected',
    ]);
    expect(verdictOf([delivery()], [reception()], 7).badSignatures).toBe(7);
  });
});
