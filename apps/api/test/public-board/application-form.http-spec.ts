// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Answer, type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { formToken } from '../support/public-boards.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

interface StoredForm {
  readonly sections: readonly { readonly id: number; readonly items: readonly { readonly id: number }[] }[];
}

let path: string;
let token: string;
let posting: Item;
const section: string[] = [];
const item: string[] = [];

beforeAll(async () => {
  const board = await make.jobBoard({ is_public: true });
  const vacancy = await make.vacancy({ state: 'open' });
  posting = await make.posting({ job_board_id: board.id, vacancy_id: vacancy.id });
  path = `/public/v1/boards/${String(board['code'])}/postings/${posting.id}`;
  const form = {
    name: 'Questions',
    resource: 'applications',
    on_apply: 'required',
    opportunity_ids: [vacancy.id],
    sections: [
      {
        name: { en: 'You', de: 'Du' },
        items: [
          {
            key: 'visa',
            label: { en: 'Visa', de: 'Visum' },
            type: 'single_select',
            required: true,
            options: [{ value: 'yes' }, { value: 'no', label: { en: 'No', de: 'Nein' } }],
          },
          {
            key: 'until',
            label: 'Until',
            type: 'date',
            required: true,
            visible_if: 'application.formdata.visa == "yes"',
          },
        ],
      },
      {
        name: 'Jobs',
        repeatable: true,
        items: [
          { key: 'employer', label: 'Employer', type: 'text', validation: { max_length: 10, pattern: '[A-Z].*' } },
          { key: 'years', label: 'Years', type: 'integer', validation: { min: 0, max: 60 } },
        ],
      },
    ],
  };
  const { sections } = expectStatus(201, await api.post('/forms', form)).item as unknown as StoredForm;
  expectStatus(201, await api.post('/forms', { ...form, name: 'Hidden', on_apply: 'hidden' }));
  for (const { id, items } of sections) {
    section.push(`section_${id}`);
    item.push(...items.map((one) => `item_${one.id}`));
  }
  token = formToken(posting.id);
});

const candidate = (): object => ({ firstname: 'Ada', lastname: 'Lovelace', email: `${Math.random()}@example.com` });
const apply = (answers: unknown): Promise<Answer> =>
  api.request('POST', `${path}/applications`, { token: null, body: { candidate: candidate(), token, answers } });
const name = (list: readonly string[], index: number): string => list[index] ?? '';

test('the application form describes the questions in the language of the reader, with their conditions', async () => {
  const { item: form, headers } = await api.request('GET', `${path}/form`, {
    token: null,
    headers: { 'accept-language': 'de' },
  });
  expect(headers).toMatchObject({ 'content-language': 'de', 'cache-control': 'no-store' });
  const { properties } = form['schema'] as { properties: { answers: { properties: object; required: string[] } } };
  expect(Object.keys(properties.answers.properties)).toEqual(section);
  expect(properties.answers).toMatchObject({
    required: [name(section, 0)],
    properties: {
      [name(section, 0)]: {
        title: 'Du',
        required: [name(item, 0)],
        properties: {
          [name(item, 0)]: {
            title: 'Visum',
            oneOf: [
              { const: 'yes', title: 'yes' },
              { const: 'no', title: 'Nein' },
            ],
          },
          [name(item, 1)]: { format: 'date', 'x-visible-if': 'application.formdata.visa == "yes"', 'x-required': true },
        },
      },
      [name(section, 1)]: {
        type: 'array',
        items: { properties: { [name(item, 2)]: { maxLength: 10, pattern: '^(?:[A-Z].*)$' } } },
      },
    },
  });
});

test('the application form is a JSON Schema that accepts what the service accepts', async () => {
  const { item: form } = await api.request('GET', `${path}/form`, { token: null });
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(form['schema'] as object);
  const body = (answers: unknown): unknown => ({ candidate: candidate(), token, answers });
  expect(validate(body({ [name(section, 0)]: { [name(item, 0)]: 'no' } }))).toBe(true);
  expect(validate(body({ [name(section, 0)]: { [name(item, 0)]: 'maybe' } }))).toBe(false);
  expect(validate(body({}))).toBe(false);
});

describe('answers to the questions of a form', () => {
  test('are stored as form values, with a section instance for each element of a list', async () => {
    const { status } = await apply({
      [name(section, 0)]: { [name(item, 0)]: 'yes', [name(item, 1)]: '2030-01-01' },
      [name(section, 1)]: [{ [name(item, 2)]: 'Acme' }, { [name(item, 2)]: 'Byte', [name(item, 3)]: 3 }],
    });
    expect(status).toBe(202);
    const [stored] = (await api.get(`/applications?search=/posting/id=${posting.id}`)).items;
    const { form_values } = (await api.get(`/applications/${stored?.id}/form_values`)).json as {
      readonly form_values: readonly { readonly section_instance: number; readonly value: unknown }[];
    };
    expect(form_values.map(({ section_instance, value }) => [section_instance, value]).sort()).toEqual(
      [
        [1, '2030-01-01'],
        [1, 'Acme'],
        [1, 'yes'],
        [2, 'Byte'],
        [2, 3],
      ].sort(),
    );
  });

  test('have violations with pointers to their places in the body', async () => {
    const { status, violations } = await apply({
      [name(section, 0)]: { [name(item, 0)]: 'yes' },
      [name(section, 1)]: [{}, { [name(item, 2)]: 'lower', [name(item, 3)]: 61 }],
    });
    expect([status, [...violations].sort()]).toEqual([
      422,
      [
        `invalid /answers/${name(section, 1)}/1/${name(item, 2)}`,
        `invalid /answers/${name(section, 1)}/1/${name(item, 3)}`,
        `missing /answers/${name(section, 0)}/${name(item, 1)}`,
      ],
    ]);
  });

  test.each([
    ['a list for a section that is not repeatable', (): unknown => ({ [name(section, 0)]: [] })],
    ['an object for a repeatable section', (): unknown => ({ [name(section, 1)]: {} })],
    ['an unknown section', (): unknown => ({ 'a/b~c': {} })],
    ['a value that is no object', (): unknown => ({ [name(section, 1)]: [1] })],
    ['an unknown item', (): unknown => ({ [name(section, 0)]: { item_0: 1 } })],
    ['a list of answers', (): unknown => []],
  ])('are refused: %s', async (_, answers) => {
    const { status, violations } = await apply(answers());
    expect(status).toBe(422);
    expect(violations.some((violation) => violation.startsWith('invalid /answers'))).toBe(true);
  });

  test('have the limits of form values', async () => {
    const withJobs = (jobs: readonly object[]): Promise<Answer> =>
      apply({ [name(section, 0)]: { [name(item, 0)]: 'no' }, [name(section, 1)]: jobs });
    const job = { [name(item, 2)]: 'Acme' };
    const tooMany = await withJobs(Array.from({ length: 1_000 }, () => job));
    expect([tooMany.status, tooMany.violations]).toEqual([422, ['invalid /answers']]);
    const tooFar = await withJobs([...Array.from({ length: 1_000 }, () => ({})), job]);
    expect([tooFar.status, tooFar.violations]).toEqual([
      422,
      [`invalid /answers/${name(section, 1)}/1000/${name(item, 2)}`],
    ]);
  });

  test('must not be missing when the form requires them', async () => {
    const { violations } = await apply(undefined);
    expect(violations).toEqual([`missing /answers/${name(section, 0)}/${name(item, 0)}`]);
  });
});
