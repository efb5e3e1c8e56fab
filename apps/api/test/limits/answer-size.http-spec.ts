// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const MIB = 1024 * 1024;

const tooLarge = (resource: string): object => ({
  status: 400,
  problem: {
    message: 'The answer is too large',
    request_id: expect.any(String),
    errors: [
      {
        resource,
        path: '',
        code: 'too_complex',
        info:
          'the answer would have more than 32 MiB: ask for fewer items with per_page, or for fewer or shorter ' +
          'columns with layout',
      },
    ],
  },
});

describe('a page above 32 MiB', () => {
  const COLUMNS = 60;
  const LENGTH = 99_000;
  const WITHIN = Math.floor((32 * MIB) / (COLUMNS * LENGTH));
  let layout: Item;

  beforeAll(async () => {
    for (let n = 0; n <= WITHIN; n++) await make.vacancy({ description: 'x'.repeat(LENGTH) });
    layout = await make.layout({
      resource: 'vacancies',
      columns: Array.from({ length: COLUMNS }, () => ({ title: 'x', datapath: 'description' })),
    });
  });

  test('gets 400, and a smaller page gets 200', async () => {
    const path = `/vacancies?sort=id!desc&layout=${layout.id}`;
    expect(await api.get(path)).toMatchObject(tooLarge('vacancies'));
    expect(await api.get(`${path}&search=/id>0`)).toMatchObject(tooLarge('vacancies'));
    const { headers, text } = expectStatus(200, await api.get(`${path}&per_page=${WITHIN}`));
    expect(headers['link']).toContain('rel="next"');
    expect(text.length).toBeGreaterThan(25 * MIB);
  });

  test('ends its statement before the text of the page is put together', async () => {
    const path = `/vacancies?sort=id!desc&layout=${layout.id}`;
    // The whole page would have 1.8 GB, more than a text in PostgreSQL can have. So this answer shows that reading
    // ended early.
    await api.database.query(
      `INSERT INTO opportunities (kind, reference, title, state_id, description, description_plain, system_id, process_id)
       SELECT kind, 'copy-' || n, title, state_id, description, description_plain, system_id, process_id
       FROM opportunities, generate_series(1, 300) n WHERE id = (SELECT max(id) FROM opportunities)`,
    );
    expect(await api.get(`${path}&per_page=1000`)).toMatchObject(tooLarge('vacancies'));
  });
});

test('a page of history above 32 MiB gets 400, and a smaller page gets 200', async () => {
  const { id } = await make.vacancy();
  await api.database.query(
    `INSERT INTO history_entries (type, date, recruiter_id, subject_type, subject_id, comment)
     SELECT type, date, recruiter_id, subject_type, subject_id, repeat('x', $2) FROM history_entries, generate_series(1, 34)
     WHERE subject_type = 'opportunity' AND subject_id = $1 AND type = 'created'`,
    [id, MIB],
  );
  expect(await api.get(`/vacancies/${id}/history`)).toMatchObject(tooLarge('history'));
  expectStatus(200, await api.get(`/vacancies/${id}/history?per_page=10`));
});
