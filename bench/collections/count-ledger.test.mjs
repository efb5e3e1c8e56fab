import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CountLedger } from './count-ledger.mjs';

/**
 * Returns a ledger that starts with ten items. Three requests to add items were answered at 100, 200 and 300 ms, and a
 * fourth has no answer yet.
 */
function ledger() {
  const made = new CountLedger(10);
  for (const at of [100, 200, 300]) {
    made.send();
    made.answer(at);
  }
  made.send();
  return made;
}

describe('CountLedger', () => {
  test('accepts a count that includes all earlier answers as fresh', () => {
    assert.deepEqual(ledger().judge(13, 350), { missing: 0, ageMs: 0 });
    assert.deepEqual(ledger().judge(11, 150), { missing: 0, ageMs: 0 });
  });

  test('accepts a count that includes an item without an answer', () => {
    assert.deepEqual(ledger().judge(14, 350), { missing: 0, ageMs: 0 });
  });

  test('computes the age of a count from the answer to the first item that the count lacks', () => {
    assert.deepEqual(ledger().judge(12, 350), { missing: 1, ageMs: 50 });
    assert.deepEqual(ledger().judge(10, 350), { missing: 3, ageMs: 250 });
    assert.deepEqual(ledger().judge(10, 250), { missing: 2, ageMs: 150 });
  });

  test('throws for a count that was never true', () => {
    for (const total of [9, 15, NaN]) assert.throws(() => ledger().judge(total, 350), /the API returned the count/);
  });
});
