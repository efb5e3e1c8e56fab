// @group sample: npm test runs a quarter of its tests
import { type EventType } from '@ats/domain';
import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { itemIdsOf } from '../support/form-factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

interface Raised {
  readonly type: EventType;
  readonly subject_id: number;
  readonly facts: Readonly<Record<string, unknown>>;
}

const lastEventId = async (): Promise<number> =>
  (await api.database.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM domain_events'))[0]?.id ?? 0;

async function eventsOf(work: () => Promise<unknown>): Promise<readonly Raised[]> {
  const before = await lastEventId();
  await work();
  return api.database.query<Raised>('SELECT type, subject_id, facts FROM domain_events WHERE id > $1 ORDER BY id', [
    before,
  ]);
}

/** Returns the type and the subject of each event that `work` raised, oldest first. */
const raisedBy = async (work: () => Promise<unknown>): Promise<readonly string[]> =>
  (await eventsOf(work)).map(({ type, subject_id }) => `${type} ${subject_id}`);

const patch = async (item: Item, body: object, status = 200): Promise<Answer> =>
  expectStatus(status, await api.request('PATCH', `/api/v1${below(item.url)}`, { body }));
const remove = async (item: Item): Promise<Answer> => expectStatus(204, await api.delete(below(item.url)));
const idOf = (value: unknown): number => (value as Item).id;

describe.each<[string, string, () => Promise<Item>, object]>([
  ['an application', 'APPLICATION', () => make.application(), { rating: 2 }],
  ['an event application', 'APPLICATION', () => make.eventApplication(), { rating: 2 }],
  ['a candidate', 'CANDIDATE', () => make.candidate(), { Phone: [{ Label: 'home', Number: '1' }] }],
  [
    'a vacancy',
    'VACANCY',
    () => make.vacancy(),
    { scoring_rules: [{ expression: 'application.rating > 1', points: 1 }] },
  ],
  ['an event', 'EVENT', () => make.event(), { venue: 'Hall' }],
  ['a job board', 'JOB_BOARD', () => make.jobBoard(), { name: 'Other' }],
  ['a form', 'FORM', () => make.form(), { sections: [] }],
])('a change of %s', (_, prefix, create, change) => {
  test('raises one event, and a write that changes nothing raises none', async () => {
    const made: Item[] = [];
    const created = await raisedBy(async () => made.push(await create()));
    const [item] = made;
    if (!item) throw new Error('nothing was created');
    expect(created.filter((event) => event.startsWith(prefix))).toEqual([`${prefix}_CREATE ${item.id}`]);
    expect(await raisedBy(() => patch(item, change))).toEqual([`${prefix}_UPDATE ${item.id}`]);
    expect(await raisedBy(() => patch(item, change))).toEqual([]);
    expect(await raisedBy(() => patch(item, { no_such_property: 1 }, 422))).toEqual([]);
    expect(await raisedBy(() => remove(item))).toEqual([`${prefix}_DELETE ${item.id}`]);
  });
});

describe('an application', () => {
  test('raises the event of its creation after that of its inline candidate, with its form values', async () => {
    const [vacancy, form] = [await make.vacancy(), await make.form()];
    const item_id = itemIdsOf(form)['answer'];
    const made: Item[] = [];
    const topic = await make.topic({
      type: 'APPLICATION_CREATE',
      expression: `application.formdata.${item_id} == "Yes"`,
    });
    const events = await eventsOf(async () =>
      made.push(
        expectStatus(
          201,
          await api.post('/applications', {
            opportunity_id: vacancy.id,
            candidate: { firstname: 'Ada', lastname: 'Byron', email: 'inline@example.com' },
            form_values: [{ item_id, value: 'Yes' }],
          }),
        ).item,
      ),
    );
    await remove(topic);
    const [application] = made;
    expect(events).toMatchObject([
      { type: 'CANDIDATE_CREATE', subject_id: idOf(application?.['user']) },
      {
        type: 'APPLICATION_CREATE',
        subject_id: application?.id,
        facts: { 'application.rating': null, [`application.formdata.${item_id}`]: 'Yes' },
      },
    ]);
  });

  test('raises only the event of the state change when it moves, and one event for changed form values', async () => {
    const [application, form] = [await make.application(), await make.form()];
    const move = (state: string): Promise<Answer> => api.put(`${below(application.url)}/process_state`, { state });
    expect(await raisedBy(() => move('in_review'))).toEqual([`STATE_CHANGE_APPLICATION ${application.id}`]);
    expect(await raisedBy(() => move('in_review'))).toEqual([]);
    const write = (): Promise<Item> =>
      make.formValues(application, [{ item_id: itemIdsOf(form)['answer'], value: 'Yes' }]);
    expect(await raisedBy(write)).toEqual([`FORM_VALUES_CHANGE ${application.id}`]);
    expect(await raisedBy(write)).toEqual([]);
  });

  test('raises one event of its copy, and none of its own, when it is copied', async () => {
    const [application, target] = [await make.application(), await make.vacancy()];
    const events = await eventsOf(async () =>
      expectStatus(201, await api.post(`${below(application.url)}/copy`, { opp_id: target.id })),
    );
    expect(events).toMatchObject([
      { type: 'APPLICATION_CREATE', facts: { 'application.copied_from.id': application.id } },
    ]);
  });

  test('raises no event of a person who is stored already', async () => {
    const [vacancy, known] = [await make.vacancy(), await make.candidate()];
    const { firstname, lastname, email } = known;
    const body = {
      opportunity_id: vacancy.id,
      candidate: { firstname, lastname, email },
      on_existing_candidate: 'use',
    };
    const events = await eventsOf(async () => expectStatus(201, await api.post('/applications', body)));
    expect(events.map(({ type }) => type)).toEqual(['APPLICATION_CREATE']);
  });

  test('raises no event of its vacancy and of its candidate', async () => {
    const [vacancy, candidate] = [await make.vacancy(), await make.candidate()];
    const made: Item[] = [];
    const created = await raisedBy(async () =>
      made.push(await make.application({ opportunity_id: vacancy.id, user_id: candidate.id })),
    );
    expect(created).toEqual([`APPLICATION_CREATE ${made[0]?.id}`]);
    expect(await raisedBy(() => patch(vacancy, { title: 'Another title' }))).toEqual([`VACANCY_UPDATE ${vacancy.id}`]);
  });
});

describe('a deleted or anonymised person', () => {
  test('raises the events of all objects that are deleted with it, without personal data', async () => {
    const topic = await make.topic({ type: 'CANDIDATE_DELETE', expression: 'candidate.lastname == "Byron"' });
    const application = await make.application();
    expectStatus(200, await api.put(`${below(application.url)}/process_state`, { state: 'rejected' }));
    const candidateId = idOf(application['user']);
    const events = await eventsOf(async () => expectStatus(204, await api.delete(`/candidates/${candidateId}`)));
    await remove(topic);
    expect(events).toMatchObject([
      { type: 'APPLICATION_DELETE', subject_id: application.id },
      { type: 'CANDIDATE_DELETE', subject_id: candidateId, facts: { 'candidate.lastname': null } },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/Ada|Byron/);
  });

  test('raises the events of anonymising, of its applications and of e-mails that are not sent', async () => {
    const topic = await make.topic({ type: 'CANDIDATE_CREATE', expression: 'candidate.lastname == "Byron"' });
    const application = await make.application();
    const { id } = await make.communication({ application });
    const candidateId = idOf(application['user']);
    const events = await raisedBy(async () =>
      expectStatus(200, await api.post(`/candidates/${candidateId}/anonymise`)),
    );
    await remove(topic);
    expect(events).toEqual([
      `COMMUNICATION_FAILED ${id}`,
      `APPLICATION_UPDATE ${application.id}`,
      `CANDIDATE_ANONYMISE ${candidateId}`,
    ]);
    const stored = await api.database.query<{ facts: object }>(
      `SELECT facts FROM domain_events WHERE subject_type = 'candidate' AND subject_id = $1`,
      [candidateId],
    );
    expect(JSON.stringify(stored)).not.toMatch(/Ada|Byron/);
    expect(await raisedBy(() => api.post(`/candidates/${candidateId}/anonymise`))).toEqual([]);
  });
});

describe('bulk writes', () => {
  test('raise one event for each application whose score changes', async () => {
    const rules = { scoring_rules: [{ expression: 'application.rating >= 3', points: 5 }] };
    const vacancy = await make.vacancy(rules);
    const rated = await make.application({ opportunity_id: vacancy.id, rating: 4 });
    const scored = (): Promise<unknown> => api.post(`${below(vacancy.url)}/score`);
    const other = await make.application({ opportunity_id: vacancy.id });
    expect(new Set(await raisedBy(scored))).toEqual(
      new Set([`APPLICATION_UPDATE ${rated.id}`, `APPLICATION_UPDATE ${other.id}`]),
    );
    expect(await raisedBy(scored)).toEqual([]);
  });

  test('raise the deletion of each posting of a vacancy before that of the vacancy', async () => {
    const posting = await make.posting();
    const vacancy = (await api.get(`/vacancies/${idOf(posting['vacancy'])}`)).item;
    expect(await raisedBy(() => remove(vacancy))).toEqual([
      `POSTING_DELETE ${posting.id}`,
      `VACANCY_DELETE ${vacancy.id}`,
    ]);
  });
});

test('credentials raise events when they are created and revoked, without their secret', async () => {
  const made: (Item & { readonly token: string })[] = [];
  const events = await eventsOf(async () => {
    const credential = await make.credential();
    made.push(credential);
    await remove(credential);
  });
  const [credential] = made;
  expect(events.map(({ type, subject_id }) => [type, subject_id])).toEqual([
    ['CREDENTIAL_CREATED', credential?.id],
    ['CREDENTIAL_REVOKED', credential?.id],
  ]);
  expect(JSON.stringify(events)).not.toContain(String(credential?.token).slice(-16));
});

test('dry runs raise no event', async () => {
  const candidate = await make.candidate();
  expect(
    await raisedBy(async () => expectStatus(200, await api.delete(`${below(candidate.url)}?dry_run=true`))),
  ).toEqual([]);
});
