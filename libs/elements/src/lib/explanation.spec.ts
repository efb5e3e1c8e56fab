import { expect, test } from '@jest/globals';
import { splitAtTimes, verdictsAbout } from './explanation.js';

const verdict = { step: 'status', ok: true, parts: null } as const;
const about = (id: number) => ({ ...verdict, info: `about ${id}`, subscription: { id, url: `/${id}` } });

test('an explanation has the verdicts about the topic and about one subscription only', () => {
  const topic = { ...verdict, step: 'type' as const, info: 'about the topic', subscription: null };
  const shown = verdictsAbout([topic, about(1), about(2)], 2);
  expect(shown.map(({ info }) => info)).toEqual(['about the topic', 'about 2']);
});

test('a text is split at its times, so that every second part is a time', () => {
  expect(splitAtTimes('between 2025-01-31T08:00:00.123Z and 2025-02-01T00:00:00Z.')).toEqual([
    'between ',
    '2025-01-31T08:00:00.123Z',
    ' and ',
    '2025-02-01T00:00:00Z',
    '.',
  ]);
  expect(splitAtTimes('no time')).toEqual(['no time']);
});
