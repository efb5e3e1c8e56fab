import { describe, expect, test } from '@jest/globals';
import { notificationTopics, postings, writeSchema } from '@ats/domain';
import { z } from 'zod';
import { cpuMsOf } from '../../test/support/own-time.js';
import { itemBody, type ItemBody, type ItemChange, type ItemRules } from './item-body.js';

const settings = { baseUrl: 'https://jobs.example.com' };
const schema = z.strictObject({
  name: z.string(),
  parts: z.array(z.strictObject({ label: z.string() })).optional(),
});
const rules: ItemRules = { type: notificationTopics.type, schema };
const item = { id: 1, name: 'Ada', parts: [{ label: 'a', id: 7 }], state: { key: 'open', name: 'Open' } };

const bodyFor = (
  change: Partial<ItemChange>,
  { present = item, isReadable = true, of = rules }: { present?: object; isReadable?: boolean; of?: ItemRules } = {},
): Promise<ItemBody> =>
  itemBody({ body: {}, isPatch: false, settings, ...change }, of, () =>
    Promise.resolve({ text: JSON.stringify(present), isReadable }),
  );
const outcome = async (...parameters: Parameters<typeof bodyFor>): Promise<unknown> => {
  const body = await bodyFor(...parameters);
  return body.violations ? body.violations.map(({ code, path }) => `${code} ${path}`) : body.data;
};
const written = { name: 'Ada', parts: [{ label: 'a' }] };

describe('the body of an item', () => {
  test('keeps only the writable properties of an item that a client sends back', async () => {
    expect(await outcome({ body: item })).toEqual(written);
    expect(await outcome({ body: item, isPatch: true })).toEqual(written);
    expect(await outcome({ body: { name: 'Eve' }, isPatch: true })).toEqual({ ...written, name: 'Eve' });
  });

  test('may repeat a part of a read-only object, and an element of a list with its read-only properties', async () => {
    expect(await outcome({ body: { ...item, state: { key: 'open' } } })).toEqual(written);
    expect(await outcome({ body: { name: 'Ada', parts: [{ label: 'b', id: 7 }] } })).toEqual({
      name: 'Ada',
      parts: [{ label: 'b' }],
    });
  });

  test('has the violation `read_only` at the pointer of each changed value', async () => {
    const parts = [{ label: 'a', id: 8, other: 1 }];
    expect(await outcome({ body: { ...item, id: 2, state: { key: 'shut', new: 1 }, parts } })).toEqual([
      'invalid /parts/0/other',
      'read_only /id',
      'read_only /state/key',
      'read_only /state/new',
      'read_only /parts/0/id',
    ]);
  });

  test('is checked in time that grows no faster than the number of unknown properties', async () => {
    const unknown = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown${index}`, 1]));
    const body = unknown(80_000);
    for (const isPatch of [true, false]) {
      const ms = await cpuMsOf(async () => {
        const { violations = [] } = await bodyFor({ body: { ...item, ...body }, isPatch });
        expect(violations.length).toBeGreaterThan(1_000);
      });
      // The body must be compared quickly. A comparison of all pairs of elements would take minutes.
      expect(ms).toBeLessThan(10_000);
    }
  });

  test('accepts no read-only properties from a client that cannot read the item', async () => {
    expect(await outcome({ body: item }, { isReadable: false })).toEqual([
      'invalid /parts/0/id',
      'invalid /id',
      'invalid /state',
    ]);
    expect(await outcome({ body: { name: 'Eve' }, isPatch: true }, { isReadable: false })).toEqual({
      ...written,
      name: 'Eve',
    });
  });

  test('is converted to the newest version after the patch, and keeps unchanged values in their newest form', async () => {
    // An older version for the test. It calls the property `title`, and shows only the first letter of each label.
    const adaptation: ItemChange['adaptation'] = {
      answerHeaders: {},
      answerBody: (json) => json.replace('"name":"Ada"', '"title":"Ada"').replace('"label":"alpha"', '"label":"a"'),
      requestBody: (body) => JSON.parse(JSON.stringify(body).replace('"title"', '"name"')) as unknown,
    };
    const present = { ...item, parts: [{ label: 'alpha' }] };
    const changed = { body: { title: 'Eve' }, isPatch: true, adaptation };
    expect(await outcome(changed, { present })).toEqual({ name: 'Eve', parts: [{ label: 'alpha' }] });
    const older = { id: 1, title: 'Eve', parts: [{ label: 'a' }], state: item.state };
    expect(await outcome({ body: older, adaptation }, { present })).toEqual({
      name: 'Eve',
      parts: [{ label: 'alpha' }],
    });
  });

  test('does not read the item for a PUT that needs no present values', async () => {
    const never = (): never => {
      throw new Error('the item was read');
    };
    const { violations } = await itemBody({ body: written, isPatch: false, settings }, rules, never);
    expect(violations).toBeUndefined();
  });

  test('keeps values that the representation shows under another name', async () => {
    const place = { id: 1, location: 'London', vacancy: { id: 3 }, job_board: { id: 4 } };
    const present = {
      vacancy: { id: 3, url: 'v' },
      job_board: { id: 4, url: 'b' },
      posting_loc_meth: { id: 1, method: 'feed', post_loc_vac: place },
    };
    const of = { type: postings.type, schema: writeSchema(postings.type) };
    const all = { vacancy_id: 3, job_board_id: 4, location: 'London', method: 'feed' };
    expect(await outcome({ body: present }, { present, of })).toEqual(all);
    expect(await outcome({ body: { location: null }, isPatch: true }, { present, of })).toEqual({
      ...all,
      location: null,
    });
    const { posting_loc_meth: _, ...without } = present;
    expect(await outcome({ body: without }, { present, of })).toEqual({ vacancy_id: 3, job_board_id: 4 });
  });
});
