import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { lockRecipient } from '../communication/recipient.js';
import { type Transaction } from '@ats/postgres';
import { applications } from '../../objects/application.model.js';
import { copyApplication } from './copy-application.js';

const own = useTestDatabase();
const [FORMER, PRESENT] = [901, 902];

beforeAll(async () => {
  await own.database.query(`
    INSERT INTO users (id, type, firstname, lastname, email) VALUES (900, 'recruiter', 'R', 'R', 'r@example.com'),
      (901, 'candidate', 'A', 'A', 'a@example.com'), (902, 'candidate', 'B', 'B', 'b@example.com');
    INSERT INTO opportunities (id, kind, title, state_id, process_id)
      VALUES (910, 'vacancy', 'V', 302, 1), (911, 'vacancy', 'W', 302, 1);
    INSERT INTO applications (id, app_type, opportunity_id, user_id, state_id)
      VALUES (920, 'vacancy_application', 910, 901, 101)`);
});

async function untilLockIsAwaited(): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await own.database.query(waiting)).length === 0) await sleep(5);
}

/** Runs `work` on an application while another transaction assigns it to another candidate and then commits. */
async function whileReassigned<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
  await own.database.query('UPDATE applications SET user_id = $1 WHERE id = 920', [FORMER]);
  const reassigning = await own.database.pool.connect();
  try {
    await reassigning.query('BEGIN');
    await reassigning.query('UPDATE applications SET user_id = $1 WHERE id = 920', [PRESENT]);
    const done = own.database.transaction(work);
    await untilLockIsAwaited();
    await reassigning.query('COMMIT');
    return await done;
  } finally {
    reassigning.release();
  }
}

describe('an application that is assigned to another candidate while a transaction waits for its lock', () => {
  it('has the new candidate as the recipient of its communications', async () => {
    const recipient = await whileReassigned((transaction) => lockRecipient(transaction, applications, 920));
    expect(recipient).toMatchObject({ userId: PRESENT, addresses: { email: ['b@example.com'] } });
  });

  it('is copied for the new candidate', async () => {
    const settings = { baseUrl: 'https://ats.example.com', language: 'en' };
    const copy = await whileReassigned((transaction) =>
      copyApplication(transaction, applications, { id: 920, opportunityId: 911, recruiterId: 900, settings }),
    );
    expect(copy.userId).toBe(PRESENT);
  });
});
