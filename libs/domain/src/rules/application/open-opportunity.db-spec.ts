import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { message } from '@ats/message';
import { useTestDatabase } from '../../../test/test-database.js';
import { applications } from '../../objects/application.model.js';
import { openOpportunity, type TargetOpportunity } from './open-opportunity.js';

const own = useTestDatabase();
const [ON_HOLD, OPEN] = [303, 302];

beforeEach(async () => {
  await own.database.query('DELETE FROM opportunities');
  await own.database.query(
    `INSERT INTO opportunities (id, kind, title, state_id, process_id) VALUES (900, 'vacancy', 'V', ${OPEN}, 1)`,
  );
});

async function untilLockIsAwaited(): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await own.database.query(waiting)).length === 0) await sleep(5);
}

/** Returns the result of `openOpportunity` when it must wait for a transaction that changes the opportunity's state. */
async function openedWhileMoving(from: number, to: number): Promise<TargetOpportunity> {
  await own.database.query('UPDATE opportunities SET state_id = $1', [from]);
  const moving = await own.database.pool.connect();
  try {
    await moving.query('BEGIN');
    await moving.query('UPDATE opportunities SET state_id = $1', [to]);
    const opened = own.database.transaction((transaction) => openOpportunity(transaction, applications, 900));
    await untilLockIsAwaited();
    await moving.query('COMMIT');
    return await opened;
  } finally {
    moving.release();
  }
}

describe('an opportunity whose state changes while a transaction waits for its lock', () => {
  it('takes applications after it was opened', async () => {
    expect(await openedWhileMoving(ON_HOLD, OPEN)).toEqual({ opportunity: expect.objectContaining({ state: 'open' }) });
  });

  it('takes no applications after it was closed, and is not reported as missing', async () => {
    expect(await openedWhileMoving(OPEN, ON_HOLD)).toEqual({
      opportunity: expect.anything(),
      violation: { code: 'opportunity_not_open', info: message`the present state is ${'on_hold'}` },
    });
  });
});
