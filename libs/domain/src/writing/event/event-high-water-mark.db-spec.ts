import { describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { eventHighWaterMark } from './record-event.js';
import { recordEvent } from './record-event.js';

const own = useTestDatabase({ poolSize: 4 });
const settings = { baseUrl: 'https://ats.example.com', language: 'en' };

describe('eventHighWaterMark', () => {
  it('stays below an event whose transaction is not committed', async () => {
    const { database } = own;
    await database.query(
      `INSERT INTO opportunities (id, kind, title, state_id, process_id) VALUES (21, 'vacancy', 'One', 302, 1)`,
    );
    const event = { type: 'STATE_CHANGE_OPPORTUNITY', subjectId: 21, recruiterId: 1 } as const;
    expect(await eventHighWaterMark(database)).toBe(0);
    await database.transaction((transaction) => recordEvent(transaction, event, settings));
    expect(await eventHighWaterMark(database)).toBe(1);
    await database.transaction(async (transaction) => {
      await recordEvent(transaction, event, settings);
      // Another transaction commits first, with a greater id.
      await database.transaction((other) => recordEvent(other, event, settings));
      expect(await eventHighWaterMark(database)).toBe(0);
    });
    expect(await eventHighWaterMark(database)).toBe(3);
  });
});
