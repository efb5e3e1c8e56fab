import { beforeAll, describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { applications, eventApplications } from '../../objects/application.model.js';
import { type Resource } from '../../vocabulary/resource.js';
import { addHistoryOfMany, buryApplications } from './history.js';
import { historyFeedStatement } from './history-sql.js';

const own = useTestDatabase();
/** Number of applications to vacancies. Each has two entries. */
const COUNT = 5_000;
const EVENT_APPLICATION = 900_001;

interface Page {
  readonly items: readonly { readonly id: number; readonly subject: { readonly id: number } }[];
  readonly has_more: boolean;
}

const parametersOf = (sinceId: number): readonly unknown[] => [100, sinceId, Number.MAX_SAFE_INTEGER];
const statementOf = (resource: Resource): string => historyFeedStatement(resource, { baseUrl: '', language: 'en' });

async function readPage(resource: Resource, sinceId: number): Promise<Page> {
  const [row] = await own.database.query<{ body: string }>(statementOf(resource), parametersOf(sinceId));
  return JSON.parse(row?.body ?? '') as Page;
}

beforeAll(async () => {
  await own.database.query(
    `INSERT INTO opportunities (id, kind, title, state_id, process_id) VALUES (901, 'vacancy', 'V', 302, 1),
       (902, 'event', 'E', 302, 2);
     INSERT INTO users (id, type, firstname, lastname, email)
       SELECT 1000 + n, 'candidate', 'C', 'C', n || '@example.com' FROM generate_series(1, ${COUNT}) n;
     INSERT INTO applications (id, app_type, reference, opportunity_id, user_id, state_id)
       SELECT 1000 + n, 'vacancy_application', 'R' || n, 901, 1000 + n, 101 FROM generate_series(1, ${COUNT}) n
       UNION ALL SELECT ${EVENT_APPLICATION}, 'event_application', 'E', 902, 1001, 101`,
  );
  await own.database.transaction(async (transaction) => {
    const ids = Array.from({ length: COUNT }, (_, index) => 1001 + index);
    const entry = { type: 'field_change', subjectType: 'application', recruiterId: null } as const;
    const all = [...ids, EVENT_APPLICATION, ...ids, EVENT_APPLICATION];
    await addHistoryOfMany(
      transaction,
      all.map((subjectId) => ({ ...entry, subjectId })),
    );
    await transaction.query(
      `INSERT INTO history_entries (subject_type, subject_id, type)
       SELECT 'candidate', id, 'created' FROM users ORDER BY id`,
    );
    for (const [resource, id] of [[applications, 5] as const, [eventApplications, 6] as const])
      await buryApplications(transaction, { collection: resource.name, ids: [id], recruiterId: null });
  });
  await own.database.query('ANALYZE');
});

describe('the feed of the history of a collection', () => {
  it('has the entries of its own applications and their tombstones only, in the order of their ids', async () => {
    const { items, has_more } = await readPage(eventApplications, 0);
    expect(items.map(({ subject }) => subject.id)).toEqual([EVENT_APPLICATION, EVENT_APPLICATION, 6]);
    expect(has_more).toBe(false);
    const read: number[] = [];
    for (let since = 0; ; ) {
      const page = await readPage(applications, since);
      read.push(...page.items.map(({ subject }) => subject.id));
      since = page.items.at(-1)?.id ?? 0;
      if (!page.has_more) break;
    }
    const ids = Array.from({ length: COUNT }, (_, index) => 1001 + index);
    expect(read).toEqual([...ids, ...ids, 5]);
  });

  it.each([
    ['applications', 0, applications],
    ['applications', 5_000, applications],
    ['applications', 1_000_000, applications],
    ['event_applications', 0, eventApplications],
    ['event_applications', 5_000, eventApplications],
    ['event_applications', 1_000_000, eventApplications],
  ])('reads no other entries: %s after %i', async (_, since, resource) => {
    const plan = await own.database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, COSTS OFF) ${statementOf(resource)}`,
      parametersOf(since),
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('ix_history_entries_feed');
    expect(text).not.toContain('Rows Removed by Filter');
    expect(text).not.toMatch(/history_entries.*rows=(?!\d{1,2}\b|10[01]\b)\d+/);
  });

  it('stores the collection also for entries that the previous release adds', async () => {
    await own.database.query(
      `INSERT INTO history_entries (subject_type, subject_id, type) VALUES ('application', $1, 'field_change')`,
      [EVENT_APPLICATION],
    );
    expect((await readPage(eventApplications, 0)).items).toHaveLength(4);
  });
});
