import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { at, BELOW, HTML, RICH, type Version } from './html-reading.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const layoutOf = async (resource: string, datapaths: readonly string[]): Promise<Item> =>
  make.layout({ resource, columns: datapaths.map((datapath) => ({ title: 'T', datapath })) });

describe('the ETag', () => {
  test('of an answer with HTML satisfies If-Match in the same version until the item changes', async () => {
    for (const version of BELOW) {
      const vacancy = await make.vacancy({ description: RICH });
      const layout = await layoutOf('vacancies', ['description', 'openings']);
      const put = (ifMatch: string, title: string) =>
        api.put(`/vacancies/${vacancy.id}`, { title }, { headers: { ...at(version).headers, 'if-match': ifMatch } });
      const { etag } = await api.get(`/vacancies/${vacancy.id}?${HTML}`, at(version));
      expect(
        (
          await api.get(`/vacancies/${vacancy.id}?${HTML}`, {
            headers: { ...at(version).headers, 'if-none-match': etag },
          })
        ).status,
      ).toBe(304);
      const laid = await api.get(`/vacancies/${vacancy.id}?${HTML}&layout=${layout.id}`, at(version));
      expect((await put(laid.etag, 'x')).status).toBe(412);
      expectStatus(200, await put(etag, 'First'));
      expect((await put(etag, 'x')).status).toBe(412);
    }
  });

  test('differs below 1.9 between layout_data with plain text and with HTML', async () => {
    const vacancy = await make.vacancy();
    const layout = await layoutOf('vacancies', ['openings']);
    const tag = async (version: Version, more: string) =>
      (await api.get(`/vacancies/${vacancy.id}?layout=${layout.id}${more}`, at(version))).etag;
    const tags = [
      await tag('1.8', ''),
      await tag('1.8', `&${HTML}`),
      await tag('1.9', ''),
      await tag('1.9', `&${HTML}`),
    ];
    expect(new Set(tags.slice(0, 3)).size).toBe(3);
    // In 1.9, both ETags are equal, because this layout has no rich text.
    expect(tags[3]).toBe(tags[2]);
  });
});
