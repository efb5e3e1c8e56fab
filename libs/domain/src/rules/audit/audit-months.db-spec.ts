import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { insertEntries } from './audit-log.js';
import { dropOldAuditMonths, ensureAuditMonths } from './audit-months.js';

const own = useTestDatabase();
const client = { credentialId: 1, recruiterId: 1, address: '198.51.100.7', requestId: 'r' };

const now = new Date();
const monthIn = (months: number): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 15));
const nameOf = (months: number): string =>
  `audit_entries_${monthIn(months).toISOString().slice(0, 7).replace('-', '')}01`;
const partitions = async (): Promise<readonly string[]> =>
  (
    await own.database.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_entries'::regclass ORDER BY 1`,
    )
  ).map(({ name }) => name);
const countIn = async (table: string): Promise<number> => (await own.database.query(`SELECT id FROM ${table}`)).length;

async function addEntry(occurredAt: Date): Promise<void> {
  const { text, parameters } = insertEntries([{ ...client, action: 'exported', occurredAt }]);
  await own.database.query(text, parameters);
}

/** Changes the end of the period that the first partition covers. */
const endFirstAt = (moment: string): Promise<unknown> =>
  own.database.query(`
    ALTER TABLE audit_entries DETACH PARTITION audit_entries_first;
    ALTER TABLE audit_entries ATTACH PARTITION audit_entries_first FOR VALUES FROM (MINVALUE) TO ('${moment}')`);

// Makes the first partition cover this month and the next one, even when the test database was created last month.
beforeAll(() => endFirstAt(`${monthIn(2).toISOString().slice(0, 7)}-01T00:00:00Z`));
beforeEach(() => own.database.query('DELETE FROM audit_entries'));

describe('the months of the audit log', () => {
  it('exist for the present and the next two months', async () => {
    await ensureAuditMonths(own.database, now);
    await ensureAuditMonths(own.database, now);
    expect(await partitions()).toEqual(expect.arrayContaining(['audit_entries_first', nameOf(2)]));
    expect(await partitions()).toHaveLength(3);
  });

  it('accept entries of months without a partition, and take them over later', async () => {
    await addEntry(monthIn(8));
    await addEntry(monthIn(9));
    expect(await countIn('audit_entries_rest')).toBe(2);
    await ensureAuditMonths(own.database, monthIn(9));
    expect(await countIn('audit_entries_rest')).toBe(0);
    expect([await countIn(nameOf(8)), await countIn(nameOf(9))]).toEqual([1, 1]);
  });

  it('are not created, and cause no error, while another transaction uses the default partition', async () => {
    await addEntry(monthIn(14));
    await own.database.transaction(async (transaction) => {
      await transaction.query('LOCK TABLE audit_entries_rest IN ROW EXCLUSIVE MODE');
      await ensureAuditMonths(own.database, now);
    });
    expect(await partitions()).not.toContain(nameOf(14));
    await ensureAuditMonths(own.database, now);
    expect(await countIn(nameOf(14))).toBe(1);
  });

  it('are dropped as a whole when they ended before the storage period', async () => {
    await endFirstAt('2020-01-01T00:00:00Z');
    await addEntry(new Date('2019-12-31T23:59:59Z'));
    await addEntry(now);
    await own.database.query(`
      INSERT INTO selections (id, name, resource) VALUES (1, 'Entries', 'audit_entries');
      INSERT INTO selection_members SELECT 1, 'audit_entries', id FROM audit_entries`);
    await ensureAuditMonths(own.database, now);
    expect(await dropOldAuditMonths(own.database, 400)).toEqual({ dropped: ['audit_entries_first'], busy: 0 });
    expect(await countIn('audit_entries')).toBe(1);
    expect(await own.database.query('SELECT member_count::integer AS count FROM selections')).toEqual([{ count: 1 }]);
  });
});
