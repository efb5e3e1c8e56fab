// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { expectStatus } from '../support/factories.js';
import { OPTIONS, itemIdsOf, type ItemIds, valuesOf } from '../support/form-factories.js';
import { useApi } from '../support/use-api.js';

const { make, forms } = useApi();

describe('visibility conditions and required items', () => {
  const driving = (): Promise<ItemIds> =>
    forms.itemsOf({
      has: { type: 'boolean', required: true },
      class: {
        type: 'single_select',
        options: OPTIONS,
        required: true,
        visible_if: 'application.formdata.has == true',
      },
      note: { visible_if: 'application.opportunity.location == "Berlin" AND application.formdata.class != "B"' },
    });

  test('are evaluated on the values after the write', async () => {
    const { has, class: of } = await driving();
    const application = await make.application();
    const [yes, no, chosen] = [
      { item_id: has, value: true },
      { item_id: has, value: false },
      { item_id: of, value: 'C' },
    ];
    expect((await forms.write(application, [chosen])).violations).toEqual([
      'not_visible /form_values/0/value',
      'missing /form_values',
    ]);
    expect((await forms.write(application, [no, chosen])).violations).toEqual(['not_visible /form_values/1/value']);
    expect((await forms.write(application, [yes])).violations).toEqual(['missing /form_values']);
    expect((await forms.write(application, [yes, { item_id: of, value: null }])).violations).toEqual([
      'missing /form_values/1/value',
    ]);
    expectStatus(200, await forms.write(application, [chosen, yes]));
    expect((await forms.write(application, [{ item_id: of, value: null }])).violations).toEqual([
      'missing /form_values/0/value',
    ]);
    expect(valuesOf(await forms.write(application, [no])).map(({ value }) => value)).toEqual([false, 'C']);
    expectStatus(200, await forms.write(application, [{ item_id: of, value: null }]));
    expect((await forms.write(application, [{ item_id: has, value: null }])).violations).toEqual([
      'missing /form_values/0/value',
    ]);
  });

  test('report nothing for items that depend on an invalid value', async () => {
    const { has, class: of } = await driving();
    expect(
      (
        await forms.write(await make.application(), [
          { item_id: has, value: 'yes' },
          { item_id: of, value: 'C' },
        ])
      ).violations,
    ).toEqual(['invalid /form_values/0/value']);
  });

  test('may use the owner and its opportunity', async () => {
    const { has, note } = await driving();
    const inBerlin = await make.application({ opportunity_id: (await make.vacancy({ location: 'Berlin' })).id });
    const given = [
      { item_id: has, value: false },
      { item_id: note, value: 'x' },
    ];
    expectStatus(200, await forms.write(inBerlin, given));
    expect((await forms.write(await make.application(), given)).violations).toEqual([
      'not_visible /form_values/1/value',
    ]);
  });

  test('may use items of other forms by id', async () => {
    const { a } = await forms.itemsOf({ a: { type: 'integer' } });
    const { answer } = itemIdsOf(await make.form({ resource: 'vacancies' }));
    const { b } = await forms.itemsOf({
      b: { visible_if: `application.formdata.${a} > 5 AND application.vacancy.formdata.${answer} == "x"` },
    });
    const vacancy = await make.vacancy();
    const application = await make.application({ opportunity_id: vacancy.id });
    await forms.write(vacancy, [{ item_id: answer, value: 'x' }], 'vacancies');
    expect((await forms.write(application, [{ item_id: b, value: 'x' }])).violations).toEqual([
      'not_visible /form_values/0/value',
    ]);
    expectStatus(200, await forms.write(application, [{ item_id: a, value: 6 }]));
    expectStatus(200, await forms.write(application, [{ item_id: b, value: 'x' }]));
  });

  test('apply to each form and instance that the write touches', async () => {
    const { a } = await forms.itemsOf({ a: {} });
    const { q, r } = await forms.itemsOf({ q: { required: true }, r: {} }, { section: { repeatable: true } });
    const application = await make.application();
    expectStatus(200, await forms.write(application, [{ item_id: a, value: 'x' }]));
    expect((await forms.write(application, [{ item_id: r, value: 'x' }])).violations).toEqual(['missing /form_values']);
    const first = { item_id: q, value: 'x' };
    expect(
      (await forms.write(application, [first, { item_id: r, section_instance: 2, value: 'x' }])).violations,
    ).toEqual(['missing /form_values']);
    expect((await forms.write(application, [first, { item_id: r, form_instance: 2, value: 'x' }])).violations).toEqual([
      'missing /form_values',
    ]);
    expect((await forms.write(application, [{ item_id: q, value: ' ' }])).violations).toEqual([
      'missing /form_values/0/value',
    ]);
    expectStatus(
      200,
      await forms.write(application, [
        first,
        { item_id: q, section_instance: 2, value: 'y' },
        { item_id: r, section_instance: 2, value: 'x' },
      ]),
    );
  });

  test('may depend on each other, and are evaluated on all values after the write', async () => {
    const { c, b, a } = await forms.itemsOf({
      a: { visible_if: 'application.formdata.b == "yes"' },
      b: { visible_if: 'application.formdata.c == "yes"' },
      c: {},
    });
    const application = await make.application();
    const [all, no] = [[a, b, c].map((item_id) => ({ item_id, value: 'yes' })), { item_id: c, value: 'no' }];
    expect((await forms.write(application, all.slice(0, 1))).violations).toEqual(['not_visible /form_values/0/value']);
    expect((await forms.write(application, all.slice(0, 2))).violations).toEqual(['not_visible /form_values/1/value']);
    expectStatus(200, await forms.write(application, all));
    // A value whose item is no longer visible stays. It can be cleared but not changed.
    expect(valuesOf(await forms.write(application, [no])).map(({ value }) => value)).toEqual(['yes', 'yes', 'no']);
    expectStatus(200, await forms.write(application, [{ item_id: a, value: 'again' }]));
    expect((await forms.write(application, [{ item_id: b, value: 'again' }])).violations).toEqual([
      'not_visible /form_values/0/value',
    ]);
    expect(valuesOf(await forms.write(application, [{ item_id: b, value: null }])).map(({ value }) => value)).toEqual([
      'again',
      'no',
    ]);
    expect((await forms.write(application, [{ item_id: a, value: 'more' }])).violations).toEqual([
      'not_visible /form_values/0/value',
    ]);
    expect(valuesOf(await forms.write(application, [{ item_id: a, value: null }]))).toHaveLength(1);
  });

  test('may refer to their own item, and to each other in a circle', async () => {
    const { a, b, c } = await forms.itemsOf({
      a: { visible_if: 'application.formdata.a != "secret"' },
      b: { visible_if: 'application.formdata.c == NULL' },
      c: { visible_if: 'application.formdata.b == NULL' },
    });
    const application = await make.application();
    expect((await forms.write(application, [{ item_id: a, value: 'secret' }])).violations).toEqual([
      'not_visible /form_values/0/value',
    ]);
    expect(
      (
        await forms.write(application, [
          { item_id: b, value: 'x' },
          { item_id: c, value: 'x' },
        ])
      ).violations,
    ).toEqual(['not_visible /form_values/0/value', 'not_visible /form_values/1/value']);
    expectStatus(
      200,
      await forms.write(application, [
        { item_id: a, value: 'x' },
        { item_id: b, value: 'x' },
      ]),
    );
    expectStatus(
      200,
      await forms.write(application, [
        { item_id: b, value: null },
        { item_id: c, value: 'x' },
      ]),
    );
  });

  test('make an item required once another value makes it visible', async () => {
    const { on, then } = await forms.itemsOf({
      on: { type: 'boolean' },
      then: { required: true, visible_if: 'application.formdata.on' },
    });
    const application = await make.application();
    const turned = (value: boolean) => ({ item_id: on, value });
    expectStatus(200, await forms.write(application, [turned(false)]));
    expect((await forms.write(application, [turned(true)])).violations).toEqual(['missing /form_values']);
    expect((await forms.write(application, [turned(true), { item_id: then, value: '' }])).violations).toEqual([
      'missing /form_values/1/value',
    ]);
    expectStatus(200, await forms.write(application, [turned(true), { item_id: then, value: 'x' }]));
    expect((await forms.write(application, [{ item_id: then, value: null }])).violations).toEqual([
      'missing /form_values/0/value',
    ]);
    expectStatus(200, await forms.write(application, [turned(false), { item_id: then, value: null }]));
  });

  test('use the first section instance and form instance by default', async () => {
    const { first, second, probe } = await forms.itemsOf(
      {
        first: {},
        second: {},
        probe: { visible_if: 'application.formdata.first == "x" AND application.formdata.second:2 == "y"' },
      },
      { section: { repeatable: true } },
    );
    const application = await make.application();
    const at = (item_id: number | undefined, section_instance: number, value: string) => ({
      item_id,
      section_instance,
      value,
    });
    expect(
      (await forms.write(application, [at(first, 2, 'x'), at(second, 2, 'y'), at(probe, 2, 'z')])).violations,
    ).toEqual(['not_visible /form_values/2/value']);
    expectStatus(
      200,
      await forms.write(application, [at(first, 1, 'x'), at(second, 2, 'y'), at(probe, 2, 'z'), at(probe, 7, 'z')]),
    );
  });

  test.each([
    ['vacancies', 'vacancy', () => make.vacancy({ location: 'Berlin' })],
    ['events', 'event', () => make.event({ location: 'Berlin' })],
    [
      'event_applications',
      'application',
      async () => make.eventApplication({ opportunity_id: (await make.event({ location: 'Berlin' })).id }),
    ],
  ] as const)('can use every kind of owner of a form: %s', async (resource, root, owner) => {
    const location = root === 'application' ? 'application.opportunity.location' : `${root}.location`;
    const { here, there, own } = await forms.itemsOf(
      {
        here: { visible_if: `${location} == "Berlin"` },
        there: { visible_if: `${location} == "Rom"` },
        own: { visible_if: `${root}.formdata.here == "x"` },
      },
      { resource },
    );
    const item = await owner();
    expect(
      (
        await forms.write(
          item,
          [
            { item_id: there, value: 'x' },
            { item_id: own, value: 'x' },
          ],
          resource,
        )
      ).violations,
    ).toEqual(['not_visible /form_values/0/value', 'not_visible /form_values/1/value']);
    expectStatus(
      200,
      await forms.write(
        item,
        [
          { item_id: own, value: 'x' },
          { item_id: here, value: 'x' },
        ],
        resource,
      ),
    );
  });

  test('are not evaluated on invalid parts of the body', async () => {
    const { has, of } = await forms.itemsOf({
      has: { type: 'boolean', required: true },
      of: { required: true, visible_if: 'application.formdata.has' },
    });
    const application = await make.application();
    expect(
      (
        await forms.write(application, [
          { item_id: of, value: 'x' },
          { item: has, value: true },
        ])
      ).violations,
    ).toEqual(['missing /form_values/1/item_id', 'invalid /form_values/1/item']);
    expect((await forms.write(application, [{ item_id: of, value: 'x' }, { item_id: has }])).violations).toEqual([
      'missing /form_values/1/value',
    ]);
    expect((await forms.write(application, [{ item_id: has, value: true, bogus: 1 }])).violations).toEqual([
      'invalid /form_values/0/bogus',
      'missing /form_values',
    ]);
  });
});
