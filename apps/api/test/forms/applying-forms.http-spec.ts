import { describe, expect, test } from '@jest/globals';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const idsOf = async (query: string): Promise<readonly number[]> =>
  (await api.get(`/forms?${query}`)).items.map(({ id }) => id);

describe('GET /forms?opportunity_id=', () => {
  test('lists the forms of an opportunity and the forms of all opportunities', async () => {
    const [own, other] = [await make.vacancy(), await make.vacancy()];
    const ofOwn = await make.form({ opportunity_ids: [own.id] });
    const ofOther = await make.form({ opportunity_ids: [other.id] });
    const ofBoth = await make.form({ opportunity_ids: [other.id, own.id] });
    const ofAll = await make.form();
    const ofVacancies = await make.form({ resource: 'vacancies' });
    const query = `resource=applications&opportunity_id=${own.id}`;
    expect(await idsOf(query)).toEqual([ofOwn.id, ofBoth.id, ofAll.id]);
    expect(await idsOf(`opportunity_id=${other.id}`)).toEqual([ofOther.id, ofBoth.id, ofAll.id, ofVacancies.id]);
    expect(await idsOf(`${query}&search=name=~${encodeURIComponent('no such name')}`)).toEqual([]);
    expect(await idsOf(`opportunity_id=${own.id}&per_page=1&page=2`)).toEqual([ofBoth.id]);
  });

  test.each(['opportunity_id=x', 'opportunity_id=0', 'opportunity_id=1&opportunity_id=2', 'resource=users'])(
    'rejects the query with %s',
    async (query) => {
      const { status, problem } = await api.get(`/forms?${query}`);
      const [parameter] = query.split('=');
      expect([status, problem.errors?.map((one) => (one as { parameter?: string }).parameter)]).toEqual([
        400,
        [parameter],
      ]);
    },
  );
});
