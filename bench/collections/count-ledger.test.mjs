import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CountLedger } from './count-ledger.mjs';

/** Ten items, and three more, answered at 100, 200 and 300; a fourth is on its way. */
function ledger() {
  const made = new CountLedger(10);
  for (const at of [100, 200, 300]) {
    made.send();
    made.answer(at);
  }
  made.send();
  return made;
}

describe('the true count while items are added', () => {
  test('a count with all that was answered before is fresh', () => {
    assert.deepEqual(ledger().judge(13, 350), { missing: 0, ageMs: 0 });
    assert.deepEqual(ledger().judge(11, 150), { missing: 0, ageMs: 0 });
  });

  test('an item that is not answered yet may be counted', () => {
    assert.deepEqual(ledger().judge(14, 350), { missing: 0, ageMs: 0 });
  });

  test('a count is as old as the answer to the first item that it lacks', () => {
    assert.deepEqual(ledger().judge(12, 350), { missing: 1, ageMs: 50 });
    assert.deepEqual(ledger().judge(10, 350), { missing: 3, ageMs: 250 });
    assert.deepEqual(ledger().judge(10, 250), { missing: 2, ageMs: 150 });
  });

  test('a count that was never true is refused', () => {
    for (const total of [9, 15, NaN]) assert.throws(() => ledger().judge(total, 350), /never true/);
  });
});
