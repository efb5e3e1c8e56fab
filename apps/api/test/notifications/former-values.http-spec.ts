// @group sample: npm test runs a quarter of its tests
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const RISE = 'CHANGED(application.rating) AND WAS(application.rating) < 3';

interface Previewed {
  readonly matched: boolean | null;
  readonly values: Readonly<Record<string, unknown>>;
  readonly not_recorded: readonly string[];
}

const preview = async (expression: string, type = 'APPLICATION_UPDATE'): Promise<readonly Previewed[]> => {
  const answer = await api.post('/notification_topics/preview', { type, expression, limit: 50 });
  return (expectStatus(200, answer).json as { readonly events: readonly Previewed[] }).events;
};
const patch = async ({ id }: Item, body: object): Promise<Item> =>
  expectStatus(200, await api.request('PATCH', `/api/v1/applications/${id}`, { body })).json as Item;

afterEach(() =>
  api.database.query(
    'DELETE FROM notification_topics; DELETE FROM notification_past_datapaths; DELETE FROM domain_events',
  ),
);

describe('CHANGED and WAS in topics', () => {
  test('are evaluated with the values before and after the change', async () => {
    await make.topic({ type: 'APPLICATION_UPDATE', expression: RISE });
    const application = await make.application();
    await patch(application, { rating: 2 });
    await patch(application, { rating: 5 });
    await patch(application, { source: 'referral' });
    const [ofSource, ofRise, ofFirst] = await preview(RISE);
    expect([ofSource?.matched, ofRise?.matched, ofFirst?.matched]).toEqual([false, true, false]);
    expect(ofRise?.values).toEqual({ 'CHANGED(application.rating)': true, 'WAS(application.rating)': 2 });
    expect(ofFirst?.values).toEqual({ 'CHANGED(application.rating)': true, 'WAS(application.rating)': null });
    expect(ofSource?.values).toEqual({ 'CHANGED(application.rating)': false, 'WAS(application.rating)': 5 });
  });

  test('read the state before a move', async () => {
    const expression = 'WAS(application.main_process_state.state.state) == "submitted"';
    await make.topic({ type: 'STATE_CHANGE_APPLICATION', expression });
    const { id } = await make.application();
    for (const state of ['in_review', 'interview'])
      expectStatus(200, await api.put(`/applications/${id}/process_state`, { state }));
    const events = await preview(expression, 'STATE_CHANGE_APPLICATION');
    expect(events.map(({ matched }) => matched)).toEqual([false, true]);
  });

  test('are unknown for an event that was recorded before a topic used them', async () => {
    const application = await make.application();
    await patch(application, { rating: 2 });
    const topic = await make.topic({ type: 'APPLICATION_UPDATE', expression: RISE });
    expect(await preview(RISE)).toMatchObject([
      { matched: null, not_recorded: ['CHANGED(application.rating)', 'WAS(application.rating)'] },
    ]);
    const [event] = await api.database.query<{ id: number }>('SELECT id FROM domain_events ORDER BY id DESC LIMIT 1');
    const explained = await api.get(`/notification_topics/${topic.id}/explain?event_id=${event?.id}`);
    const { verdicts } = expectStatus(200, explained).json as { readonly verdicts: readonly Item[] };
    expect(verdicts.find(({ step }) => step === 'expression')).toMatchObject({
      ok: null,
      parts: [{ result: null, not_recorded: ['CHANGED(application.rating)'] }, { result: null }],
    });
  });

  test('agree with a comparison of the item before and after, for random writes', async () => {
    const paths = ['rating', 'source', 'tags'] as const;
    const body = fc.record(
      {
        rating: fc.option(fc.integer({ min: 1, max: 3 })),
        source: fc.constantFrom('referral', 'website', null),
        tags: fc.subarray(['a', 'b']),
      },
      { requiredKeys: [] },
    );
    const calls = paths.flatMap((path) => [`CHANGED(application.${path})`, `WAS(application.${path})`]);
    const expression = paths
      .map((path) => `CHANGED(application.${path}) OR WAS(application.${path}) == NULL`)
      .join(' OR ');
    await make.topic({ type: 'APPLICATION_UPDATE', expression });
    const application = await make.application();
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 6 }), async (bodies) => {
        await api.database.query('DELETE FROM domain_events');
        const expected: Record<string, unknown>[] = [];
        let before = expectStatus(200, await api.get(`/applications/${application.id}`)).json as Item;
        for (const one of bodies) {
          const after = await patch(application, one);
          const changes = paths.map((path) => JSON.stringify(before[path]) !== JSON.stringify(after[path]));
          if (changes.includes(true))
            expected.push(
              Object.fromEntries(
                paths.flatMap((path, index) => [
                  [`CHANGED(application.${path})`, changes[index]],
                  [`WAS(application.${path})`, before[path] ?? null],
                ]),
              ),
            );
          before = after;
        }
        const events = await preview(expression);
        expect(events.map(({ values }) => values).reverse()).toEqual(expected);
        expect(Object.keys(events[0]?.values ?? expected)).toEqual(events[0] ? calls : Object.keys(expected));
      }),
      { numRuns: 8 },
    );
  });

  test('are a violation in topics of other types, in where and in scoring rules', async () => {
    for (const type of ['APPLICATION_CREATE', 'APPLICATION_DELETE']) {
      const answer = await api.post('/notification_topics', { type, name: 'one', expression: RISE });
      expect(expectStatus(422, answer).json).toMatchObject({
        errors: expect.arrayContaining([
          expect.objectContaining({
            path: '/expression',
            info: expect.stringContaining('1:1: CHANGED is not available'),
          }),
        ]),
      });
    }
    const where = await api.get(`/applications?where=${encodeURIComponent(RISE)}`);
    expect(JSON.stringify(expectStatus(400, where).json)).toContain('CHANGED is not available here');
  });

  test('lose former personal values when the person is anonymised', async () => {
    const expression = 'WAS(candidate.lastname) == "Zephyrine" OR CHANGED(candidate.lastname)';
    await make.topic({ type: 'CANDIDATE_UPDATE', expression });
    const { id } = await make.candidate({ lastname: 'Zephyrine' });
    expectStatus(200, await api.request('PATCH', `/api/v1/candidates/${id}`, { body: { lastname: 'Quellwasser' } }));
    expect(await preview(expression, 'CANDIDATE_UPDATE')).toMatchObject([{ matched: true }]);
    await api.database.query('DELETE FROM notification_topics');
    expectStatus(200, await api.post(`/candidates/${id}/anonymise`));
    const [event] = await preview(expression, 'CANDIDATE_UPDATE');
    expect(event).toMatchObject({ not_recorded: ['WAS(candidate.lastname)'] });
    const rows = await api.database.query<{ facts: unknown }>('SELECT facts FROM domain_events');
    expect(JSON.stringify(rows)).not.toContain('Zephyrine');
  });
});
