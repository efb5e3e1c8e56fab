import { describe, expect, it } from '@jest/globals';
import { Dice } from '../../../test/dice.js';
import { type OnApply } from '../../objects/form.model.js';
import { type DefinedItem, type FormDefinition } from './form-definition.js';
import { type FormVisibility } from './form-visibility.js';
import { Patterns } from './pattern.js';
import { ValidatedValues } from './validate-form-values.js';

const OPPORTUNITY = 7;
const FORMS = 3_000;

interface RandomForm extends FormDefinition {
  /** The ids of the items whose condition is true. */
  readonly visible: ReadonlySet<number>;
}

/** Makes a form with two sections of text items. Chance decides which items are required and which are visible. */
function randomForm(dice: Dice, id: number): RandomForm {
  const items = Array.from({ length: 1 + dice.below(5) }, (_, position): DefinedItem => {
    const section = dice.below(2);
    return {
      id: id * 100 + position,
      section_id: id * 10 + section,
      formId: id,
      isRepeatable: section === 1,
      position,
      key: `item_${position}`,
      label: { en: 'Label' },
      type: 'text',
      required: dice.chance(0.6),
      visible_if: 'a condition',
      min: null,
      max: null,
      max_length: null,
      pattern: null,
      options: [],
      optionOf: new Map(),
    };
  });
  return {
    id,
    resource: dice.one(['applications', 'applications', 'event_applications'] as const),
    opportunityIds: dice.one([[], [OPPORTUNITY], [OPPORTUNITY + 1]]),
    onApply: dice.one(['required', 'optional', 'hidden'] as const),
    items,
    itemOf: new Map(items.map((item) => [item.id, item])),
    visible: new Set(items.filter(() => dice.chance(0.7)).map((item) => item.id)),
  };
}

const applies = ({ resource, opportunityIds }: FormDefinition): boolean =>
  resource === 'applications' && (opportunityIds.length === 0 || opportunityIds.includes(OPPORTUNITY));

interface Given {
  readonly item_id: number;
  readonly section_instance: number;
}

/** Validates these values for a new application. Returns `<item>:<section instance>` for each missing answer. */
function missingAnswers(form: RandomForm, given: readonly Given[]): readonly string[] {
  const visibility = { isVisible: (itemId: number) => form.visible.has(itemId) } as unknown as FormVisibility;
  const { violations } = new ValidatedValues(
    {
      id: 1,
      pointer: '/form_values',
      isPartial: false,
      given: given.map((place, index) => ({
        ...place,
        form_instance: 1,
        value: 'x',
        path: `/form_values/${index}`,
      })),
    },
    {
      resource: 'applications',
      opportunityId: OPPORTUNITY,
      isApplying: true,
      formOf: new Map(form.items.map(({ id }) => [id, form])),
      before: [],
      context: { now: new Date(0), timeZone: 'UTC', visibility: new Map([[form.id, visibility]]), values: new Map() },
      patterns: new Patterns(),
      objectValueOf: () => null,
    },
  );
  return violations
    .filter(({ code }) => code === 'missing')
    .map(({ item_id, section_instance }) => `${item_id}:${section_instance}`)
    .sort();
}

/** Implements the rule of docs/reference/forms.md, "Required items", independently of the tested code. */
function expectedAnswers(form: RandomForm, given: readonly Given[]): readonly string[] {
  const isAsked: Readonly<Record<OnApply, boolean>> = { required: true, optional: given.length > 0, hidden: false };
  if (!applies(form) || !isAsked[form.onApply]) return [];
  return form.items
    .filter(({ id, required }) => required && form.visible.has(id))
    .flatMap(({ id, section_id, isRepeatable }) => {
      const ofSection = given.filter(({ item_id }) => form.itemOf.get(item_id)?.section_id === section_id);
      const instances = new Set([1, ...(isRepeatable ? ofSection.map((value) => value.section_instance) : [])]);
      return [...instances]
        .filter((instance) => !given.some((one) => one.item_id === id && one.section_instance === instance))
        .map((instance) => `${id}:${instance}`);
    })
    .sort();
}

describe('the required answers of an application', () => {
  const seed = Number(process.env['FORM_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

  it(`are exactly the visible required items without a value (FORM_SEED=${seed})`, () => {
    const dice = new Dice(seed);
    const found = { some: 0, none: 0 };
    for (let id = 1; id <= FORMS; id++) {
      const form = randomForm(dice, id);
      const given = form.items
        .flatMap((item) => [1, 2].map((section_instance) => ({ item_id: item.id, section_instance, item })))
        .filter(({ item, section_instance }) => (section_instance === 1 || item.isRepeatable) && dice.chance(0.4))
        .map(({ item_id, section_instance }) => ({ item_id, section_instance }));
      const sent = dice.chance(0.2) ? [] : given;
      const missing = missingAnswers(form, sent);
      expect([id, missing]).toEqual([id, expectedAnswers(form, sent)]);
      found[missing.length > 0 ? 'some' : 'none'] += 1;
    }
    expect(Math.min(found.some, found.none)).toBeGreaterThan(FORMS / 10);
  });
});
