import { type Database } from '@ats/postgres';
import { systemClock } from '../src/config/clock.js';
import { LowWaterMarks } from '../src/loops/low-water-marks.js';
import { Matcher, type ReadSubject } from '../src/matching/matcher.js';
import { BASE_URL } from './fixtures.js';
import { silentLogger } from './silent-logger.js';

const mustNotRead: ReadSubject = () =>
  Promise.reject(new Error('the matcher read the subject, although the snapshot has all values'));

/** Creates a matcher. By default, `readSubject` fails, because the snapshots of the test's events have all values. */
export const createMatcher = (
  database: Database,
  readSubject: ReadSubject = mustNotRead,
  lowWaterMarks = new LowWaterMarks(database),
): Matcher =>
  new Matcher({
    database,
    lowWaterMarks,
    baseUrl: BASE_URL,
    readSubject,
    clock: systemClock,
    logger: silentLogger,
  });

/** Returns the status and the number of failures of each event, in the order of the ids. */
export const readEvents = (database: Database): Promise<{ status: string; tries: number }[]> =>
  database.query('SELECT status, tries FROM domain_events ORDER BY id');

/** The values of a topic that matches every state change of an application. */
export const TOPIC = {
  type: 'STATE_CHANGE_APPLICATION',
  name: 'a topic',
  description: null,
  expression: null,
  datapaths: [],
} as const;
export const DESTINATION_URL = 'https://receiver.example.com/';
