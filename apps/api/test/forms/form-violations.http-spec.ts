import { describe, expect, test } from '@jest/globals';
import { OPTIONS } from '../support/form-factories.js';
import { type Answer } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { type Properties, question, formOf, violationsOf, itemViolations, itemOf } from './form-bodies.js';

const { api, make } = useApi();

describe('a form', () => {
  test('needs a name, a resource and sections', async () => {
    expect([...(await violationsOf(api, {}))].sort()).toEqual([
      'missing /name',
      'missing /resource',
      'missing /sections',
    ]);
  });

  test('reports every violation of its parts with its pointer', async () => {
    const body = {
      name: '',
      resource: 'candidates',
      opportunity_ids: [0],
      bogus: 1,
      sections: [
        {
          items: [
            { key: '1', label: {}, type: 'number', options: 'x', required: 1, visible_if: 5, validation: [], bogus: 1 },
          ],
        },
        { name: { xx: 'x' }, repeatable: 'no', items: 1 },
        7,
      ],
    };
    expect([...(await violationsOf(api, body))].sort()).toEqual(
      [
        'invalid /bogus',
        'invalid /name',
        'invalid /opportunity_ids/0',
        'invalid /resource',
        'invalid /sections/0/items/0/bogus',
        'invalid /sections/0/items/0/key',
        'invalid /sections/0/items/0/label',
        'invalid /sections/0/items/0/options',
        'invalid /sections/0/items/0/required',
        'invalid /sections/0/items/0/type',
        'invalid /sections/0/items/0/validation',
        'invalid /sections/0/items/0/visible_if',
        'invalid /sections/1/items',
        'invalid /sections/1/name/xx',
        'invalid /sections/1/repeatable',
        'invalid /sections/2',
        'missing /sections/0/name',
      ].sort(),
    );
  });

  test('rejects parts that are not objects, and lists that are too long', async () => {
    const { errors } = (await api.post('/forms', formOf([question(), 7 as unknown as Properties]))).problem;
    expect(errors).toEqual([
      { resource: 'forms', path: '/sections/0/items/1', code: 'invalid', info: 'expected a JSON object' },
    ]);
    expect(
      await itemViolations(api, ...Array.from({ length: 501 }, () => question({ visible_if: 'application.nothing' }))),
    ).toEqual(['invalid /sections/0/items']);
  });

  test('limits the total cost of its patterns', async () => {
    const patterns = Array.from({ length: 150 }, (_, index) =>
      question({ key: `a${index}`, validation: { pattern: `\\pL{${800 + index}}\\pL{1000}` } }),
    );
    const { errors = [] } = (await api.post('/forms', formOf(patterns))).problem;
    expect(errors.map(({ path }) => path)).toEqual(
      patterns.map((_, index) => `/sections/0/items/${index}/validation/pattern`),
    );
    expect(errors.at(-1)?.info).toContain('too long to read');
  });

  test('requires unique keys and option values, and refuses the item id of another form', async () => {
    expect(await itemViolations(api, question(), question())).toEqual(['already_exists /sections/0/items/1/key']);
    const twice = [OPTIONS[0], OPTIONS[0]];
    expect(await itemViolations(api, question({ type: 'multi_select', options: twice }))).toEqual([
      'already_exists /sections/0/items/0/options/1/value',
    ]);
    const id = itemOf(await make.form(), 'answer').id;
    expect(await itemViolations(api, question({ id }))).toEqual(['invalid /sections/0/items/0/id']);
  });

  test.each<[Properties, string]>([
    [{ type: 'single_select' }, 'missing /options'],
    [{ type: 'multi_select', options: [] }, 'missing /options'],
    [{ type: 'text', options: OPTIONS }, 'invalid /options'],
    [{ type: 'single_select', options: [{ value: ' ' }] }, 'invalid /options/0/value'],
    [{ type: 'single_select', options: [{ label: 'x' }] }, 'missing /options/0/value'],
    [{ type: 'text', validation: { min: 1 } }, 'invalid /validation/min'],
    [{ type: 'date', validation: { max: 1 } }, 'invalid /validation/max'],
    [{ type: 'integer', validation: { max_length: 1 } }, 'invalid /validation/max_length'],
    [{ type: 'rich_text', validation: { pattern: 'a' } }, 'invalid /validation/pattern'],
    [{ type: 'decimal', validation: { min: 2, max: 1 } }, 'invalid /validation/max'],
    [{ type: 'text', validation: { max_length: 0 } }, 'invalid /validation/max_length'],
    [{ type: 'text', validation: { max_length: 1.5 } }, 'invalid /validation/max_length'],
    [{ type: 'text', validation: { pattern: '(' } }, 'invalid /validation/pattern'],
    [{ type: 'text', validation: { pattern: '(a)\\1' } }, 'invalid /validation/pattern'],
    [{ type: 'text', validation: { pattern: '((a{1000}){1000}){1000}' } }, 'invalid /validation/pattern'],
    [{ type: 'text', validation: { pattern: '(\\pL{1000})?'.repeat(38) } }, 'invalid /validation/pattern'],
    [{ type: 'text', validation: { pattern: 'a'.repeat(501) } }, 'invalid /validation/pattern'],
    [{ type: 'text', validation: { pattern: '('.repeat(501) } }, 'invalid /validation/pattern'],
    [{ type: 'textarea', validation: { pattern: 'a*', max_length: 2001 } }, 'invalid /validation/max_length'],
    [{ visible_if: 'x'.repeat(4097) }, 'invalid /visible_if'],
    [{ key: 'x'.repeat(65) }, 'invalid /key'],
    [{ label: '' }, 'invalid /label'],
    [{ label: { en: '\u0000' } }, 'invalid /label/en'],
  ])('rejects an item %j', async (properties, violation) => {
    const [code, path = ''] = violation.split(' ');
    expect(await itemViolations(api, question(properties))).toEqual([`${code} /sections/0/items/0${path}`]);
  });

  test.each([
    ['application.formdata.nothing == 1', 'application has no form item "nothing"'],
    ['application.formdata.987654321 == 1', 'application has no form item "987654321"'],
    ['application.formdata.answer > 3', 'cannot compare "application.formdata.answer" (a text) with a number'],
    ['application.fistname == 1', 'fistname'],
    ['vacancy.id == 1', 'a datapath starts here with "application"'],
    ['application.id =', 'write =='],
  ])('rejects the condition %s', async (visible_if, info) => {
    const { problem, status } = await api.post('/forms', formOf([question({ visible_if })]));
    expect([status, problem.errors?.[0]]).toEqual([
      422,
      {
        resource: 'forms',
        path: '/sections/0/items/0/visible_if',
        code: 'invalid',
        info: expect.stringContaining(info),
      },
    ]);
  });

  test.each([
    ['applications', 'vacancies:read', 'events:read'],
    ['event_applications', 'events:read', 'vacancies:read'],
  ])('needs the read scopes of its conditions: for %s the scope %s', async (resource, scope, other) => {
    const form = { ...formOf([question({ visible_if: 'application.opportunity.location == "x"' })]), resource };
    const write = async (read: string): Promise<Answer> =>
      api.post('/forms', form, { token: await make.token('forms:write', 'applications:read', read) });
    expectStatus(201, await write(scope));
    expect(expectStatus(403, await write(other)).problem.message).toContain(scope);
  });
});
