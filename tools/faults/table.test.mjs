// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toTable } from './table.mjs';

const row = {
  number: 7,
  fault: 'Redis killed',
  ok: true,
  faults: 2,
  messages: 600,
  requests: 601,
  duplicates: 1,
  duplicatesAtMost: 4,
  missing: 0,
  unexpected: 0,
  badSignatures: 0,
  changedBodies: 0,
  outOfOrder: 0,
  excess: 0,
  seconds: 9.64,
  notes: [],
};

test('the table of fault tests has a line for each test by number, then the totals and the notes', () => {
  const lines = toTable([
    row,
    {
      ...row,
      number: 2,
      fault: 'API killed',
      ok: false,
      duplicates: 0,
      duplicatesAtMost: null,
      missing: 3,
      notes: ['63 committed'],
    },
  ]).split('\n');
  assert.match(lines[1] ?? '', /^ 2 +API killed +2 +600 +601 +0 +3 +0 +0 +0 +0 +0 +9\.6 +FAILED$/);
  assert.match(lines[2] ?? '', /^ 7 +Redis killed +2 +600 +601 +1 of <= 4 +0 +0 +0 +0 +0 +0 +9\.6 +passed$/);
  assert.match(lines[3] ?? '', /^ +all 2 +4 +1200 +1202 +1 +3 +0 +0 +0 +0 +0 +19\.3 +1 FAILED$/);
  assert.deepEqual(lines.slice(4), ['', '   2  63 committed']);
});
