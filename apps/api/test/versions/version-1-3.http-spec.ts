import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { type RequestOptions } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { formData, part } from './form-data.js';
import { type ItemIds } from '../support/form-factories.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();
let ids: ItemIds;
let application: Item;

beforeAll(async () => {
  ids = await forms.itemsOf({ text: {}, number: { type: 'integer' } });
  application = await make.application();
});

const bulk = (version: string, { headers, ...options }: RequestOptions, path = 'applications'): Promise<Answer> =>
  api.request('POST', `/api/v1/${path}/bulk_form_values`, {
    ...options,
    headers: { 'api-version': version, ...headers },
  });
const itemsOf = (value: unknown, { id }: Item = application, item_id: unknown = ids['text']) => [
  { id, form_values: [{ item_id, value }] },
];
const written = (answer: Answer): unknown => (expectStatus(200, answer).json as { readonly items: unknown }).items;
const shown = (value: unknown): unknown => [
  expect.objectContaining({ form_values: [expect.objectContaining({ value })] }),
];

describe('bulk form values below 1.3', () => {
  test('are one part of multipart/form-data on every path, and JSON from 1.3 on', async () => {
    const kinds = [
      { paths: ['applications', 'vacancy_applications'], item: application, field: ids['text'] },
      {
        paths: ['event_applications', 'event_registrations'],
        item: await make.eventApplication(),
        field: (await forms.itemsOf({ a: {} }, { resource: 'event_applications' }))['a'],
      },
      {
        paths: ['vacancies'],
        item: await make.vacancy(),
        field: (await forms.itemsOf({ a: {} }, { resource: 'vacancies' }))['a'],
      },
    ];
    const routes = api.routes
      .filter(({ url, method }) => method === 'POST' && url.endsWith('/bulk_form_values'))
      .map(({ url }) => url.split('/')[3]);
    expect(new Set(routes)).toEqual(new Set(kinds.flatMap(({ paths }) => paths)));
    for (const { paths, item, field } of kinds) {
      for (const path of paths) {
        expect(written(await bulk('1.2', formData([part('items', itemsOf('by form', item, field))]), path))).toEqual(
          shown('by form'),
        );
        expect(written(await bulk('1.3', { body: { items: itemsOf('by JSON', item, field) } }, path))).toEqual(
          shown('by JSON'),
        );
      }
    }
  });

  test.each([
    ['1.2', 'multipart/form-data'],
    ['1.3', 'application/json'],
    ['1.7', 'application/json'],
    ['1.9', 'application/json'],
  ])('are accepted at %s only as %s', async (version, type) => {
    const others = [
      { body: { items: itemsOf('x') } },
      formData([part('items', itemsOf('x'))]),
      { payload: 'items=x', headers: { 'content-type': 'text/plain' } },
      ...['garbage', '', 'a/b/c', '/'].map((wrong) => ({ payload: 'x', headers: { 'content-type': wrong } })),
    ];
    const answers = await Promise.all(others.map((options) => bulk(version, options)));
    const isJson = type === 'application/json';
    expect(answers.map(({ status }) => status)).toEqual([
      isJson ? 200 : 415,
      isJson ? 415 : 200,
      415,
      415,
      415,
      415,
      415,
    ]);
    for (const { problem } of answers.filter(({ status }) => status === 415)) expect(problem.message).toContain(type);
  });

  test('reject other media types with 415, and an empty body with 400', async () => {
    const answers = [
      await api.request('POST', '/api/v1/vacancies', {
        payload: 'x'.repeat(1024 * 1024),
        headers: { 'content-type': 'text/plain' },
      }),
      await api.request('POST', '/api/v1/vacancies', {
        payload: 'x'.repeat(1024 * 1024 + 1),
        headers: { 'content-type': 'text/plain' },
      }),
      await bulk('1.2', { payload: '', headers: { 'content-type': 'text/plain' } }),
      await api.request('POST', '/api/v1/nowhere', { payload: 'x', headers: { 'content-type': 'text/plain' } }),
      await api.request('POST', '/api/v1/nowhere', formData([part('a', 1)])),
    ];
    expect(answers.map(({ status }) => status)).toEqual([415, 413, 400, 404, 404]);
  });

  test('may be sent as a file part of any media type', async () => {
    const items = itemsOf('in a file');
    const file = '; filename="items.json"\r\nContent-Type: application/json';
    expect(written(await bulk('1.2', formData([part('items', items, file)])))).toEqual(shown('in a file'));
    const { payload, headers } = formData([part('items', items)], 'a b');
    const quoted = { 'content-type': 'Multipart/Form-Data; charset=utf-8; boundary="a b"' };
    expect(headers['content-type']).not.toBe(quoted['content-type']);
    expect(
      written(
        await bulk('1.2', {
          ...(payload && {
            payload: Buffer.concat([Buffer.from('preamble\r\n'), Buffer.from(payload), Buffer.from('epilogue')]),
          }),
          headers: quoted,
        }),
      ),
    ).toEqual(shown('in a file'));
    expect(written(await bulk('1.2', formData([part('items', itemsOf('Zoë 👍'))])))).toEqual(shown('Zoë 👍'));
  });

  test('report violations at the same pointers as JSON', async () => {
    const wrong = [
      ...itemsOf('fine'),
      { id: (await make.application()).id, form_values: [{ item_id: ids['number'], value: 'x' }] },
      { id: 'x', form_values: [], more: 1 },
    ];
    const [form, json] = await Promise.all([
      bulk('1.2', formData([part('items', wrong)])),
      bulk('1.3', { body: { items: wrong } }),
    ]);
    expect(form.violations).toEqual([
      'invalid /items/2/id',
      'invalid /items/2/more',
      'invalid /items/1/form_values/0/value',
    ]);
    expect([form.status, form.problem.errors]).toEqual([422, json.problem.errors]);
  });

  test('need the part `items` and reject other parts', async () => {
    expect((await bulk('1.2', formData([]))).violations).toEqual(['missing /items']);
    expect([...(await bulk('1.2', formData([part('item', [])]))).violations].sort()).toEqual([
      'invalid /item',
      'missing /items',
    ]);
    expect((await bulk('1.2', formData([part('items', itemsOf('x')), part('more', 1)]))).violations).toEqual([
      'invalid /more',
    ]);
    expect((await bulk('1.2', formData([part('items', { a: 1 })]))).violations).toEqual(['invalid /items']);
    expect((await bulk('1.2', {})).status).toBe(400);
  });

  const whole = '--boundary\r\nContent-Disposition: form-data; name="items"\r\n\r\n[]\r\n--boundary--';
  const type = 'multipart/form-data; boundary=boundary';
  test.each([
    ['no form', 'items', type],
    ['a form that ends early', whole.slice(0, -4), type],
    ['a form that ends within a header', whole.slice(0, 30), type],
    ['a form with line feeds alone', whole.replaceAll('\r\n', '\n'), type],
    ['another boundary', whole, 'multipart/form-data; boundary=other'],
    ['no boundary', whole, 'multipart/form-data'],
    ['an empty boundary', whole, 'multipart/form-data; boundary='],
    ['a part without a name', whole.replace('; name="items"', ''), type],
    ['the part twice', whole.replace('--boundary--', whole), type],
    ['a part that is no JSON', whole.replace('[]', '[}'), type],
    ['an empty part', whole.replace('[]', ''), type],
    ['a part with a prototype', whole.replace('[]', '[{"__proto__":{}}]'), type],
    [
      'a thousand parts',
      whole.replace(
        '--boundary--',
        Array.from({ length: 1000 }, (_, index) =>
          whole.replace('items', `x${index}`).replace('--boundary--', ''),
        ).join('') + '--boundary--',
      ),
      type,
    ],
  ])('reject this body with 400: %s', async (_, payload, contentType) => {
    const { status, problem } = await bulk('1.2', { payload, headers: { 'content-type': contentType } });
    expect([status, problem.message]).toEqual([400, expect.stringMatching(/request body/)]);
  });

  test('reject text that is not UTF-8, and `__proto__` as a part name', async () => {
    const { status, problem } = await bulk(
      '1.2',
      formData([part('items', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]))]),
    );
    expect([status, problem.message]).toEqual([400, 'The part items of the request body is not valid UTF-8']);
    expect((await bulk('1.2', formData([part('__proto__', { x: 1 }), part('items', itemsOf('x'))]))).status).toBe(422);
  });

  test('are at most 1 MiB', async () => {
    expect(
      (
        await bulk(
          '1.2',
          formData([part('items', [{ id: 1, form_values: [{ item_id: 1, value: 'x'.repeat(1024 * 1024) }] }])]),
        )
      ).status,
    ).toBe(413);
  });

  test('are checked after the scope', async () => {
    const token = await make.token('*:read');
    expect((await bulk('1.2', { ...formData([part('items', 'x')]), token })).status).toBe(403);
    expect((await bulk('1.2', { payload: 'nothing', headers: { 'content-type': type }, token })).status).toBe(403);
  });

  test('count as the same request for an Idempotency-Key in any encoding', async () => {
    const headers = { 'idempotency-key': 'values-of-many' };
    const withKey = (options: RequestOptions): RequestOptions => ({
      ...options,
      headers: { ...options.headers, ...headers },
    });
    const first = await bulk('1.2', withKey(formData([part('items', itemsOf('once'))])));
    const again = await bulk('1.2', withKey(formData([part('items', itemsOf('once'))], 'another')));
    const newer = await bulk('1.9', withKey({ body: { items: itemsOf('once') } }));
    expect(
      [first, again, newer].map(({ status, text, headers: { 'idempotency-replayed': replayed } }) => [
        status,
        text,
        replayed,
      ]),
    ).toEqual([
      [200, first.text, undefined],
      [200, first.text, 'true'],
      [200, first.text, 'true'],
    ]);
    expect((await bulk('1.2', withKey(formData([part('items', itemsOf('other'))])))).violations).toEqual([
      'idempotency_mismatch ',
    ]);
  });
});
