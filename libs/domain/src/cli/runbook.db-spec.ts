import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { useTestDatabase } from '../../test/test-database.js';

const own = useTestDatabase();
const text = readFileSync(join(__dirname, '../../../../docs/operations.md'), 'utf8');
/** What operators are told to ask or to write; what stands in angle brackets is theirs to fill in. */
const statements = [
  ...new Set(
    [...text.matchAll(/`((?:SELECT|UPDATE|DELETE|INSERT) [^`]+)`/g)].map(([, statement = '']) =>
      statement.replaceAll('\\|', '|'),
    ),
  ),
];
/** On a server that has what they are about. */
const elsewhere = ['pg_terminate_backend'];

it('the runbook has statements', () => {
  expect(statements.length).toBeGreaterThan(10);
});

it.each(statements.filter((statement) => !elsewhere.some((name) => statement.includes(name))))(
  'runs %s',
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
