import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const MOMENT = '2030-05-01T09:00:00.000Z';
let event: Item;
let application: Item;

beforeAll(async () => {
  event = await make.event();
  application = await make.application();
});

const write = (start_dt: unknown): Promise<Answer> =>
  api.put(`/events/${event.id}`, { title: 'Open day', start_dt, end_dt: '2030-05-01T17:00:00.000Z' });
const search = (value: string): Promise<Answer> =>
  api.get(`/events?search=${encodeURIComponent(`/start_dt=${value}`)}`);
const expression = (value: string): Promise<Answer> =>
  api.post('/notification_topics', {
    type: 'STATE_CHANGE_APPLICATION',
    name: 'Topic',
    expression: `application.created_dt <= DATE("${value}") AND application.updated_dt <= "${value}"`,
  });

describe('a timestamp', () => {
  test.each([
    '2030-05-01T09:00:00.000Z',
    '2030-05-01T09:00:00Z',
    '2030-05-01T09:00Z',
    '2030-05-01t09:00:00z',
    '2030-05-01 09:00:00Z',
    '2030-05-01T09:00:00,000Z',
    '20300501T090000Z',
    '20300501T0900Z',
    '2030-05-01T11:00:00+02:00',
    '2030-05-01T11:00:00+0200',
    '2030-05-01T11:00+02',
    '20300501T030000.000-0600',
    '2030-04-30T24:00:00-09:00',
    '2030-05-01T09:00:00.000999999999Z',
  ])('means the same moment in a body, a search and an expression: %s', async (text) => {
    await write('2029-01-01T00:00:00Z');
    const written = await write(text);
    expect([written.status, written.item?.['start_dt']]).toEqual([200, MOMENT]);
    const found = await search(text);
    expect([found.status, found.items.map(({ id }) => id)]).toEqual([200, [event.id]]);
    expect((await expression(text)).status).toBe(201);
  });

  test.each([
    '2030-05-01T09:00:00',
    '2030-05-01T09:00',
    '20300501T090000',
    '2030-05-01 09:00:00',
    '2030-05-01T09Z',
    '2030-05-01T09:00:60Z',
    '2030-05-01T24:00:01Z',
    '2030-02-30T09:00:00Z',
    '0000-05-01T09:00:00Z',
    '2030-05-01T09:00:00Z[UTC]',
    'tomorrow',
    '',
  ])('is rejected everywhere without a zone or with another mistake: %j', async (text) => {
    const written = await write(text);
    expect([written.status, written.violations]).toEqual([422, ['invalid /start_dt']]);
    expect(written.problem.errors?.[0]?.info).toContain('expected a timestamp as');
    if (text !== '') expect([(await search(text)).status, text]).toEqual([400, text]);
    expect((await expression(text)).violations).toEqual(expect.arrayContaining(['invalid /expression']));
  });

  test('is rejected in a body as a date alone, as a number and as an object', async () => {
    for (const value of ['2030-05-01', 1_904_457_600_000, { value: MOMENT }, true])
      expect((await write(value)).violations).toEqual(['invalid /start_dt']);
    expect((await write(null)).violations).toEqual(['missing /start_dt']);
  });

  test('may have any form in a form value', async () => {
    const items = [{ type: 'datetime', label: 'When', key: 'when' }];
    const form = await make.form({ sections: [{ name: 'Section', items }] });
    const item_id = (form['sections'] as { items: { id: number }[] }[])[0]?.items[0]?.id;
    const answer = await api.post(`/applications/${application.id}/form_values`, {
      form_values: [{ item_id, value: '20300501T1100+02' }],
    });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(MOMENT)]);
  });
});
