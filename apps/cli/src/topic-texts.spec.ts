import { expect, test } from '@jest/globals';
import { explanationText, previewText } from './topic-texts.js';

test('the printed preview of a topic names each event, its result and the values, without control characters', () => {
  const event = { event_id: 7, occurred_dt: '2026-11-28T10:00:00Z', subject: { id: 3, url: null } };
  const events = [
    { ...event, matched: false, values: { 'candidate.firstname': 'a\u001b[31m\nb' }, not_recorded: [] },
    { ...event, matched: null, values: { 'candidate.email': null }, not_recorded: ['candidate.email'] },
  ];
  const tested = { type: 'CANDIDATE_UPDATE', expression: 'candidate.firstname == "x"' };
  expect(previewText(tested, { evaluated: 2, matched: 0, unknown: 1, events })).toBe(
    `type        CANDIDATE_UPDATE
expression  candidate.firstname == "x"
matched     0 of the last 2 events, 1 unknown

event 7  2026-11-28T10:00:00Z  subject 3  does not match
  candidate.firstname is "a\\u001b[31m\\nb"

event 7  2026-11-28T10:00:00Z  subject 3  unknown
  candidate.email was not stored with the event
`,
  );
});

test('a printed explanation has one line for each step, and the parts of the expression below it', () => {
  const part = { values: {}, read_late: [], not_recorded: [], parts: null };
  const leaves = [
    { ...part, text: 'a == 1', result: true, values: { a: 1 } },
    { ...part, text: 'b == 2', result: false, values: { b: null } },
  ];
  const verdicts = [
    { step: 'type' as const, ok: true, info: 'It fits.', subscription: null, parts: null },
    {
      ...{ step: 'expression' as const, ok: false, info: 'It does not hold.', subscription: null },
      parts: [{ ...part, text: 'a == 1 AND b == 2', result: false, parts: leaves }],
    },
    { step: 'window' as const, ok: null, info: 'Unknown.', subscription: { id: 5, url: 'http://x/5' }, parts: null },
  ];
  expect(explanationText({ event_id: 7, notified: false, verdicts })).toBe(
    `event 7: not notified
yes     type: It fits.
no      expression: It does not hold.
        false: a == 1 AND b == 2
          true: a == 1
            a is 1
          false: b == 2
            b is null
unknown window of subscription 5: Unknown.
`,
  );
});

test('no value in a printed preview or explanation can start a new line', () => {
  const forged = 'x\nmatched     all\u001b';
  const event = { event_id: 7, occurred_dt: forged, subject: { id: 3, url: forged }, matched: true };
  const events = [{ ...event, values: {}, not_recorded: [] }];
  const preview = previewText({ type: forged, expression: null }, { evaluated: 1, matched: 1, unknown: 0, events });
  const verdicts = [{ step: forged as 'type', ok: true, info: '', subscription: null, parts: null }];
  const explanation = explanationText({ event_id: 7, notified: true, verdicts });
  for (const text of [preview, explanation]) expect(text).not.toMatch(/^matched {5}all/m);
});
