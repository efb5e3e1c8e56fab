// @group long: sends many requests at the same time
import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

/** Sends `count` requests at the same time. */
const atOnce = <T = Answer>(count: number, request: (index: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => request(index)));

/** Counts answers by status, such as `{ 201: 1, 422: 7 }`. */
function tally(answers: readonly Answer[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('many concurrent requests', () => {
  test('create one candidate when they have the same e-mail address; the others get already_exists', async () => {
    const answers = await atOnce(8, (index) =>
      api.post('/candidates', {
        firstname: 'A',
        lastname: String(index),
        email: index % 2 ? 'same@example.com' : 'SAME@example.com',
      }),
    );
    expect(tally(answers)).toEqual({ 201: 1, 422: 7 });
    for (const { status, violations } of answers)
      if (status === 422) expect(violations).toEqual(['already_exists /email']);
  });

  test('create one application of a candidate to a vacancy; the others get already_exists', async () => {
    const body = { opportunity_id: (await make.vacancy()).id, user_id: (await make.candidate()).id };
    const answers = await atOnce(8, () => api.post('/applications', body));
    expect(tally(answers)).toEqual({ 201: 1, 422: 7 });
    for (const { status, violations } of answers)
      if (status === 422) expect(violations).toEqual(['already_exists /opportunity_id']);
  });

  test('create one inline candidate when they have the same e-mail address, and no other user', async () => {
    const { id } = await make.vacancy();
    const candidate = { firstname: 'In', lastname: 'Line', email: 'inline@example.com' };
    expect(tally(await atOnce(6, () => api.post('/applications', { opportunity_id: id, candidate })))).toEqual({
      201: 1,
      422: 5,
    });
    expect(await api.database.query('SELECT 1 FROM users WHERE email = $1', [candidate.email])).toHaveLength(1);
  });

  test('replace an item once when they have the same If-Match; the others get 412', async () => {
    const { id, code } = await make.jobBoard();
    const headers = { 'if-match': (await api.get(`/job_boards/${id}`)).etag };
    const answers = await atOnce(8, (index) =>
      api.put(`/job_boards/${id}`, { name: `Name ${index}`, code }, { headers }),
    );
    expect(tally(answers)).toEqual({ 200: 1, 412: 7 });
    const winner = answers.find(({ status }) => status === 200);
    expect((await api.get(`/job_boards/${id}`)).text).toBe(winner?.text);
  });

  test('move an application once when they have the same If-Match; the others get 412', async () => {
    const path = `/applications/${(await make.application()).id}/process_state`;
    const headers = { 'if-match': (await api.get(path)).etag };
    const targets = ['in_review', 'interview', 'on_hold', 'rejected'];
    expect(tally(await atOnce(8, (index) => api.put(path, { state: targets[index % 4] }, { headers })))).toEqual({
      200: 1,
      412: 7,
    });
  });

  test('delete an item once; the others get 404', async () => {
    const { id } = await make.posting();
    expect(tally(await atOnce(6, () => api.delete(`/postings/${id}`)))).toEqual({ 204: 1, 404: 5 });
    expect(
      await api.database.query(`SELECT 1 FROM domain_events WHERE type = 'POSTING_DELETE' AND subject_id = $1`, [id]),
    ).toHaveLength(1);
  });

  test('move applications only from the state of the previous move, without a gap in the history', async () => {
    const applications = await Promise.all(Array.from({ length: 20 }, () => make.application()));
    const targets = ['in_review', 'interview', 'assessment', 'on_hold', 'offer_made', 'rejected', 'withdrawn'];
    const answers = (
      await atOnce(50, async (client) => {
        const heard = [];
        for (let round = 0; round < 8; round += 1) {
          const { id } = applications[(client * 3 + round * 7) % applications.length] ?? {};
          const state = targets[(client + round * 5) % targets.length];
          const move = (): Promise<Answer> =>
            api.put(`/applications/${id}/process_state`, { state, comment: `${client}` });
          let answer = await move();
          // On a busy machine, a request that waits for a connection may time out with 503. Clients then repeat it.
          while (answer.status === 503) answer = await move();
          heard.push(answer);
        }
        return heard;
      })
    ).flat();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]));
    for (const { status, violations } of answers)
      if (status === 422) expect(violations).toEqual(['invalid_transition /state']);
    for (const { id } of applications) await expectNoGap(id);
  }, 600_000);
});

/**
 * Expects that the row, the history and the events of an application agree. Each move must start in the state in which
 * the one before has ended.
 */
async function expectNoGap(id: number): Promise<void> {
  const history = (await api.get(`/applications/${id}/history?per_page=1000`)).json as {
    readonly items: readonly Entry[];
  };
  const entries = [...history.items].reverse();
  expect(entries[0]).toMatchObject({ type: 'created', from: null });
  for (const [index, entry] of entries.slice(1).entries())
    expect([entry.type, entry.from?.state]).toEqual(['state_change', entries[index]?.to?.state]);
  expect(entries.map(({ date }) => date)).toEqual(entries.map(({ date }) => date).sort());
  const { process_state, updated_dt } = (await api.get(`/applications/${id}`)).item as unknown as {
    process_state: { state: string; entered_dt: string };
    updated_dt: string;
  };
  expect(process_state.state).toBe(entries.at(-1)?.to?.state);
  expect([process_state.entered_dt, updated_dt].every((moment) => moment >= (entries.at(-2)?.date ?? ''))).toBe(true);

  const events = await api.database.query<{ state: string }>(
    `SELECT facts ->> 'application.main_process_state.state.state' AS state FROM domain_events
     WHERE type = 'STATE_CHANGE_APPLICATION' AND subject_id = $1 ORDER BY id`,
    [id],
  );
  expect(events.map(({ state }) => state)).toEqual(entries.slice(1).map(({ to }) => to?.state));
}

interface Entry {
  readonly type: string;
  readonly date: string;
  readonly from: { readonly state: string } | null;
  readonly to: { readonly state: string } | null;
}

describe('an object that is deleted while another request refers to it', () => {
  const idOf = (value: unknown): number => (value as Item).id;

  test('a candidate either gets the application or is deleted, never both', async () => {
    for (let round = 0; round < 5; round++) {
      const [vacancy, candidate] = [await make.vacancy(), await make.candidate()];
      const [applied, deleted] = await Promise.all([
        api.post('/applications', { opportunity_id: vacancy.id, user_id: candidate.id }),
        api.delete(`/candidates/${candidate.id}`),
      ]);
      expect([`201 422`, '422 204']).toContain(`${applied.status} ${deleted.status}`);
    }
  });

  test('a job board either gets the posting or is deleted', async () => {
    const vacancy = await make.vacancy();
    for (let round = 0; round < 5; round++) {
      const { id } = await make.jobBoard();
      const [posted, deleted] = await Promise.all([
        api.post('/postings', { vacancy_id: vacancy.id, job_board_id: id }),
        api.delete(`/job_boards/${id}`),
      ]);
      expect(['201 422', '422 204']).toContain(`${posted.status} ${deleted.status}`);
    }
  });

  test('a vacancy either gets the application or is deleted', async () => {
    for (let round = 0; round < 5; round++) {
      const [vacancy, candidate] = [await make.vacancy(), await make.candidate()];
      const [applied, deleted] = await Promise.all([
        api.post('/applications', { opportunity_id: vacancy.id, user_id: candidate.id }),
        api.delete(`/vacancies/${vacancy.id}`),
      ]);
      expect(['201 422', '422 204']).toContain(`${applied.status} ${deleted.status}`);
    }
  });

  test('a vacancy whose posting is being replaced does not cause a deadlock', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, vacancy, job_board } = await make.posting();
      const body = { vacancy_id: idOf(vacancy), job_board_id: idOf(job_board), title: 'New' };
      const [replaced, deleted] = await Promise.all([
        api.put(`/postings/${id}`, body),
        api.delete(`/vacancies/${idOf(vacancy)}`),
      ]);
      expect([200, 404, 422]).toContain(replaced.status);
      expect(deleted.status).toBe(204);
    }
  });
});

describe('messages to a candidate', () => {
  test('are rejected once the candidate is anonymised; earlier messages lose their text and are not sent', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, user } = await make.application();
      const userId = (user as Item).id;
      const text = { subject: 'Hello', body: 'Text' };
      const answers = await atOnce(9, (index) =>
        index === 4 ? api.post(`/candidates/${userId}/anonymise`) : api.post(`/applications/${id}/comms`, text),
      );
      const { 200: anonymised, 201: written = 0, 422: refused = 0, ...others } = tally(answers);
      expect([anonymised, written + refused, others]).toEqual([1, 8, {}]);
      for (const { status, violations } of answers) if (status === 422) expect(violations).toEqual(['anonymised ']);
      const rows = await api.database.query(
        `SELECT c.status, subject, body, to_addresses, m.status AS mail FROM communications c JOIN outgoing_mails m ON m.communication_id = c.id WHERE user_id = $1`,
        [userId],
      );
      expect(rows).toEqual(
        Array.from({ length: written }, () => ({
          status: 'failed',
          subject: null,
          body: '',
          to_addresses: [],
          mail: 'cancelled',
        })),
      );
    }
  });

  test('are written or rejected, but never get 500, while their template and application are deleted', async () => {
    const application = await make.application();
    const template = await make.messageTemplate();
    const answers = await atOnce(9, (index) => {
      if (index === 3) return api.delete(`/message_templates/${template.id}`);
      return index === 6
        ? api.delete(`/applications/${application.id}`)
        : api.post(`/applications/${application.id}/comms`, { template_id: template.id });
    });
    const { 204: deleted, 201: written = 0, 404: gone = 0, 422: refused = 0, ...others } = tally(answers);
    expect([deleted, written + gone + refused, others]).toEqual([2, 7, {}]);
  });
});

describe('topics', () => {
  test('can be replaced concurrently with and without If-Match', async () => {
    const { id } = await make.topic();
    const headers = { 'if-match': '*' };
    const write = (index: number): Promise<Answer> =>
      api.put(
        `/notification_topics/${id}`,
        { type: 'POSTING_CREATE', name: String(index) },
        index % 2 ? { headers } : {},
      );
    expect(tally(await atOnce(10, write))).toEqual({ 200: 10 });
  });
});

describe('a deadlock', () => {
  test('is retried without the client noticing', async () => {
    // Repeats the deadlock until PostgreSQL aborts the transaction of the API. On a busy machine, PostgreSQL may abort
    // the transaction of the test.
    while (!(await isRetried()));
  });

  /**
   * Makes a deadlock.
   * @returns false when PostgreSQL aborted the transaction of the test instead of that of the API
   */
  async function isRetried(): Promise<boolean> {
    const { id, vacancy, job_board } = await make.posting();
    const body = { vacancy_id: idOf(vacancy), job_board_id: idOf(job_board), title: 'New' };
    let answer: Promise<Answer> | undefined;
    const isCommitted = await api.database
      .transaction(async (transaction) => {
        await transaction.query('SELECT 1 FROM opportunities WHERE id = $1 FOR UPDATE', [idOf(vacancy)]);
        answer = api.put(`/postings/${id}`, body);
        await waitsForLock();
        // With this statement, both transactions wait for each other. PostgreSQL aborts the transaction of the API,
        // because it has waited longer.
        await transaction.query('SELECT 1 FROM postings WHERE id = $1 FOR UPDATE', [id]);
      })
      .then(
        () => true,
        (error: unknown) => {
          if ((error as { readonly code?: unknown }).code === '40P01') return false;
          throw error;
        },
      );
    const { status, item } = (await answer) ?? {};
    expect([status, item?.['title']]).toEqual([200, 'New']);
    return isCommitted;
  }

  const idOf = (value: unknown): number => (value as Item).id;

  async function waitsForLock(): Promise<void> {
    for (;;) {
      const waiting = await api.database.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ats-api' AND wait_event_type = 'Lock'`,
      );
      if (waiting.length > 0) return;
    }
  }
});
