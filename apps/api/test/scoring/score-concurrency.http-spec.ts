// @group long: waits for slow scores
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { cpuMsOf } from '../support/own-time.js';
import { useApi } from '../support/use-api.js';
import { type Rule, toRules, score, itemsOf } from './scores.js';

const { api, make } = useApi();

interface ScoredPart {
  readonly scored: number;
  readonly changed: number;
  readonly next_after_id: number | null;
}

describe('slow scoring rules', () => {
  // With this pattern, each comparison of the substring search fails only after half of the pattern. This is the
  // slowest case.
  const sought = `${'a'.repeat(480)}b${'a'.repeat(480)}`;
  let path: string;
  let applications: readonly Item[];

  beforeAll(async () => {
    const [item_id = 0] = await itemsOf(make, [{ key: 'item', label: 'Item', type: 'textarea' }]);
    const expression = Array.from({ length: 4 }, () => `application.formdata.${item_id} =~ "${sought}"`).join(' OR ');
    const { id } = await make.vacancy(toRules(Array.from({ length: 4 }, (_, points): Rule => [expression, points])));
    const form_values = [{ item_id, value: 'a'.repeat(30_000) }];
    applications = await Promise.all(Array.from({ length: 30 }, () => make.application({ opportunity_id: id })));
    for (const application of applications)
      expect((await api.post(`/applications/${application.id}/form_values`, { form_values })).status).toBe(200);
    path = `/vacancies/${id}/score`;
  });

  test('lead to smaller batches of applications, until all are scored', async () => {
    let [scored, calls, after_id]: [number, number, number | null] = [0, 0, null];
    do {
      const { status, json } = await api.post(path, { after_id });
      expect(status).toBe(200);
      const part = json as ScoredPart;
      expect(part.scored).toBeGreaterThan(0);
      scored += part.scored;
      calls++;
      after_id = part.next_after_id;
    } while (after_id !== null);
    expect([scored, calls > 1]).toEqual([applications.length, true]);
  });

  test('do not block other requests', async () => {
    // Measures each turn of the event loop in processor time. On a busy machine, elapsed time would include the time in
    // which the process does not run.
    let isOver = false;
    const scoring = api.post(path).finally(() => (isOver = true));
    let [all, longest] = [0, 0];
    while (!isOver) {
      const ms = await cpuMsOf(nextTurn);
      longest = Math.max(longest, ms);
      all += ms;
    }
    expect((await scoring).status).toBe(200);
    expect(longest).toBeLessThan(all / 2);
  });
});

describe('scoring with concurrent writers', () => {
  test('waits for a locked application and reads its committed state', async () => {
    const { id } = await make.vacancy(toRules([['application.source == "fair"', 1]]));
    const applications: Item[] = [];
    for (let index = 0; index < 3; index++) applications.push(await make.application({ opportunity_id: id }));
    let answer: Promise<Answer> | undefined;
    await api.database.transaction(async (transaction) => {
      await transaction.query(`UPDATE applications SET source = 'fair' WHERE id = $1`, [applications[1]?.id]);
      answer = api.post(`/vacancies/${id}/score`);
      await waitsForLock();
    });
    // The request stops after about a second, but it scores at least one application. Later requests score the rest.
    const first = (await answer)?.json as ScoredPart;
    const rest = first.next_after_id === null ? { scored: 0, changed: 0 } : await scoreAll(id, first.next_after_id);
    expect([first.scored + rest.scored, first.changed + rest.changed]).toEqual([3, 3]);
    expect((await api.get(`/applications/${applications[1]?.id ?? 0}`)).item['score']).toBe(1);
  });

  test('gives correct scores when several requests run concurrently', async () => {
    const { id } = await make.vacancy(
      toRules([
        ['application.source == "a"', 1],
        ['application.source == "b"', 2],
      ]),
    );
    const applications: Item[] = [];
    for (let index = 0; index < 6; index++)
      applications.push(await make.application({ opportunity_id: id, source: 'a' }));
    const [itemId] = await itemsOf(make, [{ key: 'item', label: 'Item', type: 'text' }]);
    const requests = applications.flatMap((application, index) => [
      api.post(`/vacancies/${id}/score`, index % 2 ? {} : { limit: 3 }),
      score(api, application.id),
      api.put(`/applications/${application.id}`, {
        opportunity_id: id,
        user_id: (application['user'] as Item).id,
        source: 'b',
      }),
      api.post('/applications/bulk_form_values', {
        items: [...applications]
          .reverse()
          .map(({ id: one }) => ({ id: one, form_values: [{ item_id: itemId, value: String(index) }] })),
      }),
      api.post(`/candidates/${(application['user'] as Item).id}/anonymise`),
    ]);
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 422)).toEqual([]);
    await scoreAll(id);
    for (const application of applications) {
      const { source, score: scored } = (await api.get(`/applications/${application.id}`)).item;
      // An anonymised application has no source, so no rule adds points to it.
      expect(scored).toBe({ a: 1, b: 2 }[String(source)] ?? 0);
    }
  });

  /**
   * Scores all parts.
   * @returns the sums over all parts
   */
  async function scoreAll(id: number, after?: number): Promise<Pick<ScoredPart, 'scored' | 'changed'>> {
    const sums = { scored: 0, changed: 0 };
    for (let after_id = after ?? null, isFirst = true; isFirst || after_id !== null; isFirst = false) {
      const part = (await api.post(`/vacancies/${id}/score`, { after_id })).json as ScoredPart;
      sums.scored += part.scored;
      sums.changed += part.changed;
      after_id = part.next_after_id;
    }
    return sums;
  }

  async function waitsForLock(): Promise<void> {
    for (;;) {
      const waiting = await api.database.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ats-api' AND wait_event_type = 'Lock'`,
      );
      if (waiting.length > 0) return;
    }
  }
});
