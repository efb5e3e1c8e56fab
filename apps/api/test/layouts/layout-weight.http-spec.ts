import { describe, expect, test } from '@jest/globals';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { titled } from './layout-readings.js';

const { api, make } = useApi();

describe('the weight of a layout', () => {
  const repeated = (count: number, datapath: string): readonly object[] =>
    titled(...Array.from({ length: count }, () => datapath));
  const countsBehind = (count: number): readonly object[] =>
    titled(...Array.from({ length: count }, (_, n) => `${'copied_from.'.repeat(n)}opportunity.application_count`));

  test.each<[string, readonly object[]]>([
    ['100 plain columns', repeated(100, 'reference')],
    ['100 columns that show one count', repeated(100, 'opportunity.application_count')],
    ['25 lists', repeated(25, 'candidate.Phone.Number')],
    ['60 rich texts', repeated(60, 'opportunity.description')],
    ['14 counts', countsBehind(14)],
  ])('may be that of %s', async (_what, columns) => {
    const { id } = expectStatus(201, await api.post('/layouts', { name: 'x', resource: 'applications', columns })).item;
    expectStatus(200, await api.get(`/applications?layout=${id}`));
  });

  test('above 300 is 422 when the layout is stored, and 400 when an older layout is used', async () => {
    const columns = repeated(61, 'opportunity.description');
    const info =
      'expected columns with a weight of at most 300 together, found 305: use fewer counts, lists and long texts';
    const { status, problem } = await api.post('/layouts', { name: 'x', resource: 'applications', columns });
    expect([status, problem.errors]).toEqual([422, [{ resource: 'layouts', path: '/columns', code: 'invalid', info }]]);
    const { id } = await make.layout({ columns: repeated(60, 'opportunity.description') });
    await api.database.query(
      `INSERT INTO layout_columns (layout_id, position, title, datapath, type, is_many)
       SELECT layout_id, 60, title, datapath, type, is_many
       FROM layout_columns WHERE layout_id = $1 AND position = 0`,
      [id],
    );
    const { id: applicationId } = await make.application();
    for (const path of ['/applications', `/applications/${applicationId}`]) {
      const answer = await api.get(`${path}?layout=${id}`);
      expect([answer.status, answer.problem.errors]).toEqual([
        400,
        [
          {
            resource: 'applications',
            path: '',
            parameter: 'layout',
            code: 'too_complex',
            info: `the layout ${id} cannot be used any more: ${info}`,
          },
        ],
      ]);
    }
    expectStatus(200, await api.get(`/layouts/${id}`));
  });
});
