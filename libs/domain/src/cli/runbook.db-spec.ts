import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { useTestDatabase } from '../../test/test-database.js';

const own = useTestDatabase();
const text = readFileSync(join(__dirname, '../../../../docs/operations.md'), 'utf8');
/** The SQL statements of the runbook. Operators replace the parts in angle brackets before they run them. */
const statements = [
  ...new Set(
    [...text.matchAll(/`((?:SELECT|UPDATE|DELETE|INSERT) [^`]+)`/g)].map(([, statement = '']) =>
      statement.replaceAll('\\|', '|'),
    ),
  ),
];
/**
 * SQL functions that have an effect only on running processes of the service. This spec skips statements that call
 * them.
 */
const notRunHere = ['pg_terminate_backend'];

it('docs/operations.md contains more than 10 SQL statements', () => {
  expect(statements.length).toBeGreaterThan(10);
});

it.each(statements.filter((statement) => !notRunHere.some((name) => statement.includes(name))))(
  'PostgreSQL accepts the statement from docs/operations.md: %s',
  async (statement) => {
    const client = await own.database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(statement);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  },
);
