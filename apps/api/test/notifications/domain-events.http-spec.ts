// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let recruiterId: number;

beforeAll(async () => {
  recruiterId = ((await api.get('/me')).item['recruiter'] as Item).id;
});

interface DomainEvent {
  readonly type: string;
  readonly subject_type: string;
  readonly subject_id: number;
  readonly recruiter_id: number;
  readonly time_zone: string;
  readonly status: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

const pathOf = ({ url }: Item): string => url.slice(`${BASE_URL}/api/v1`.length);
const lastEventId = async (): Promise<number> =>
  (await api.database.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM domain_events'))[0]?.id ?? 0;

/** Returns the events that `work` raises, oldest first. */
async function eventsOf(work: () => Promise<unknown>): Promise<readonly DomainEvent[]> {
  const before = await lastEventId();
  await work();
  return api.database.query<DomainEvent>(
    'SELECT type, subject_type, subject_id, recruiter_id, time_zone, status, facts FROM domain_events WHERE id > $1 ORDER BY id',
    [before],
  );
}

const idOf = (value: unknown): number => (value as Item).id;
const writeOf = ({ vacancy, job_board, title }: Item): object => ({
  title,
  vacancy_id: idOf(vacancy),
  job_board_id: idOf(job_board),
});

describe('a posting', () => {
  test('raises POSTING_CREATE on create, with its values', async () => {
    const [vacancy, board] = [await make.vacancy({ title: 'Engineer' }), await make.jobBoard({ code: 'the-board' })];
    let posting: Item | undefined;
    const events = await eventsOf(
      async () =>
        (posting = await make.posting({ vacancy_id: vacancy.id, job_board_id: board.id, closing_date: '2099-12-31' })),
    );
    expect(events).toEqual([
      {
        type: 'POSTING_CREATE',
        subject_type: 'posting',
        subject_id: posting?.id,
        recruiter_id: recruiterId,
        time_zone: 'UTC',
        status: 'new',
        facts: expect.objectContaining({
          'posting.id': posting?.id,
          'posting.title': 'Engineer',
          'posting.status': 'live',
          'posting.closing_date': '2099-12-31',
          'posting.vacancy.title': 'Engineer',
          'posting.job_board.code': 'the-board',
          'posting.url': posting?.url,
        }),
      },
    ]);
  });

  test('raises POSTING_UPDATE on change, with its new values', async () => {
    const posting = await make.posting();
    const events = await eventsOf(async () =>
      expectStatus(200, await api.put(pathOf(posting), { ...writeOf(posting), title: 'New' })),
    );
    expect(events).toMatchObject([
      { type: 'POSTING_UPDATE', subject_id: posting.id, facts: { 'posting.title': 'New' } },
    ]);
  });

  test('raises no event when a replacement changes nothing', async () => {
    const posting = await make.posting();
    expect(await eventsOf(async () => expectStatus(200, await api.put(pathOf(posting), writeOf(posting))))).toEqual([]);
  });

  test('raises POSTING_DELETE on delete, with its last values', async () => {
    const posting = await make.posting({ title: 'Gone' });
    const events = await eventsOf(async () => expectStatus(204, await api.delete(pathOf(posting))));
    expect(events).toMatchObject([
      { type: 'POSTING_DELETE', subject_id: posting.id, facts: { 'posting.title': 'Gone' } },
    ]);
  });

  test('raises events with the request id, sent by the client or generated', async () => {
    const posting = await make.posting();
    const requestIdOf = async (
      headers: Readonly<Record<string, string>>,
    ): Promise<{ readonly event: string | null; readonly answer: unknown }> => {
      const title = `Another ${JSON.stringify(headers)}`;
      const answer = expectStatus(200, await api.put(pathOf(posting), { ...writeOf(posting), title }, { headers }));
      const [row] = await api.database.query<{ request_id: string | null }>(
        'SELECT request_id FROM domain_events ORDER BY id DESC LIMIT 1',
      );
      return { event: row?.request_id ?? null, answer: answer.headers['x-request-id'] };
    };
    expect(await requestIdOf({ 'x-request-id': 'posting-7' })).toEqual({ event: 'posting-7', answer: 'posting-7' });
    const unsaid = await requestIdOf({});
    expect(unsaid.event).toEqual(unsaid.answer);
    expect(unsaid.event).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a state change', () => {
  test('raises STATE_CHANGE_APPLICATION for an application, with the new state and the person', async () => {
    const candidate = await make.candidate({ firstname: 'Ada' });
    const application = await make.application({ user_id: candidate.id });
    const events = await eventsOf(async () =>
      expectStatus(200, await api.put(`${pathOf(application)}/process_state`, { state: 'in_review' })),
    );
    expect(events).toEqual([
      {
        type: 'STATE_CHANGE_APPLICATION',
        subject_type: 'application',
        subject_id: application.id,
        recruiter_id: recruiterId,
        time_zone: 'UTC',
        status: 'new',
        facts: expect.objectContaining({
          'application.opportunity_id': application['opportunity_id'],
          'application.main_process_state.state.state': 'in_review',
          'application.days_in_state': 0,
          'application.user.firstname': 'Ada',
          'application.user.fullname': 'Ada Byron',
          'application.app_type': 'vacancy_application',
        }),
      },
    ]);
  });

  test('raises STATE_CHANGE_APPLICATION for an event application', async () => {
    const application = await make.eventApplication();
    const events = await eventsOf(async () =>
      expectStatus(200, await api.put(`${pathOf(application)}/process_state`, { state: 'confirmed' })),
    );
    expect(events).toMatchObject([
      { type: 'STATE_CHANGE_APPLICATION', facts: { 'application.main_process_state.state.state': 'confirmed' } },
    ]);
  });

  test.each([
    ['vacancy', () => make.vacancy()],
    ['event', () => make.event()],
  ] as const)('raises STATE_CHANGE_OPPORTUNITY for a %s', async (kind, makeOne) => {
    const opportunity = await makeOne();
    const events = await eventsOf(async () =>
      expectStatus(200, await api.put(`${pathOf(opportunity)}/state`, { state: 'closed' })),
    );
    expect(events).toMatchObject([
      {
        type: 'STATE_CHANGE_OPPORTUNITY',
        subject_type: 'opportunity',
        subject_id: opportunity.id,
        facts: { 'opportunity.kind': kind, 'opportunity.state.state': 'closed' },
      },
    ]);
  });

  test('stores the additional values that topics of its event type use', async () => {
    const datapath = 'application.opportunity.owner.email';
    const topic = await make.topic({ expression: `${datapath} == "x"` });
    const moved = async (): Promise<DomainEvent | undefined> => {
      const { id } = await make.application();
      return (await eventsOf(() => api.put(`/applications/${id}/process_state`, { state: 'rejected' })))[0];
    };
    expect((await moved())?.facts).toHaveProperty([datapath]);
    await api.delete(pathOf(topic));
    expect((await moved())?.facts).not.toHaveProperty([datapath]);
  });
});

describe('events of a change', () => {
  test('are not raised when a request is rejected', async () => {
    const [application, posting] = [await make.application(), await make.posting()];
    const token = await make.token('*:read');
    const events = await eventsOf(async () => {
      await api.put(`${pathOf(application)}/process_state`, { state: 'hired' });
      await api.put(
        `${pathOf(application)}/process_state`,
        { state: 'in_review' },
        { headers: { 'if-match': '"stale"' } },
      );
      await api.put(pathOf(posting), { ...writeOf(posting), job_board_id: 999_999 });
      await api.put(pathOf(posting), { ...writeOf(posting), title: 'New' }, { token });
      await api.post('/postings', { vacancy_id: 999_999, job_board_id: 999_999 });
      await api.delete('/postings/999999');
    });
    expect(events).toEqual([]);
  });

  test('are not raised when the transaction fails at its commit, because nothing is stored', async () => {
    const [application, posting] = [await make.application(), await make.posting()];
    const paths = [pathOf(application), pathOf(posting)];
    const readAll = async (): Promise<readonly string[]> =>
      Promise.all(
        [...paths, ...paths.map((path) => `${path}/history`)].map(async (path) => (await api.get(path)).text),
      );
    const before = await readAll();
    await api.database.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the end'; END $$;
      CREATE CONSTRAINT TRIGGER fails AFTER INSERT OR DELETE ON history_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail();`);
    const events = await eventsOf(async () => {
      const answers = [
        await api.put(`${paths[0]}/process_state`, { state: 'in_review' }),
        await api.put(paths[1] ?? '', { ...writeOf(posting), title: 'New' }),
        await api.delete(paths[1] ?? ''),
        await api.post('/postings', writeOf(posting)),
      ];
      for (const { status, problem } of answers)
        expect([status, problem]).toEqual([500, { message: 'Internal error', request_id: expect.any(String) }]);
    });
    await api.database.query('DROP TRIGGER fails ON history_entries');
    expect(events).toEqual([]);
    expect(await readAll()).toEqual(before);
  });
});
