import { describe, expect, it } from '@jest/globals';
import { batchBody, partsOf } from './batch.js';
import { type AttemptOutcome } from './http/attempt-outcome.js';
import { type ClaimedDelivery } from './store/claimed-deliveries.js';

const messages = ['a', 'b', 'c'].map((id, index) => ({
  message_id: id,
  body: `{"message_id":"${id}"}`,
  subject_type: 'application',
  subject_id: index,
})) as unknown as readonly ClaimedDelivery[];

const answered = (excerpt: string, statusCode = 200): AttemptOutcome => ({
  error: statusCode < 300 ? null : 'status',
  answer: { statusCode, headers: { a: 'b' }, retryAfter: null, excerpt, isTruncated: false },
  isOwnError: false,
  resolveMs: 1,
  headersMs: 2,
  durationMs: 3,
  remoteAddress: null,
});
const resultsOf = (excerpt: string, statusCode?: number): readonly [string | null, boolean][] =>
  partsOf(messages, answered(excerpt, statusCode)).map(({ outcome, isCompanion }) => [outcome.error, isCompanion]);

describe('a batch of messages', () => {
  it('has an array of the exact message texts as its body, also for one message', () => {
    expect(batchBody(messages.slice(0, 2))).toBe('[{"message_id":"a"},{"message_id":"b"}]');
    expect(batchBody(messages.slice(0, 1))).toBe('[{"message_id":"a"}]');
  });

  it.each(['', 'failed', '{"failed":"a"}', '{"failed":[1,null]}', '{"failed":["x"]}', '["failed"]', 'null'])(
    'is accepted as a whole by the answer %j',
    (excerpt) => {
      expect(resultsOf(excerpt)).toEqual([
        [null, false],
        [null, true],
        [null, true],
      ]);
    },
  );

  it('counts as a success when the receiver accepts a part of it', () => {
    expect(resultsOf('{"failed":["A"]}')).toEqual([
      ['rejected', true],
      [null, false],
      [null, true],
    ]);
    expect(resultsOf('{"failed":["a","b","c"]}')).toEqual([
      ['rejected', false],
      ['rejected', true],
      ['rejected', true],
    ]);
  });

  it('fails as a whole with any other status, regardless of the body', () => {
    expect(resultsOf('{"failed":["a"]}', 500)).toEqual([
      ['status', false],
      ['status', true],
      ['status', true],
    ]);
    expect(resultsOf('{"failed":["a"]}', 201).map(([error]) => error)).toEqual([null, null, null]);
  });

  it('stores the answer only when all messages are about one subject', () => {
    const kept = (of: readonly ClaimedDelivery[]): unknown => partsOf(of, answered('text'))[0]?.outcome.answer?.excerpt;
    expect([kept(messages), kept(messages.slice(0, 1))]).toEqual(['', 'text']);
  });
});
