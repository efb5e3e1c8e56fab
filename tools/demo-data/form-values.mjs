// @ts-check
import { demoForms } from './forms.mjs';
import { Random } from './random.mjs';
import { richText } from './rich-text.mjs';

/**
 * An object with form values.
 * @typedef {object} Owner
 * @property {string} resource the resource that the form is for, such as `vacancies`
 * @property {number} id
 * @property {'application' | 'opportunity'} subjectType
 * @property {number} at time at which the form was submitted
 * @property {number | null} by id of the recruiter who submitted the form; null when the candidate submitted it
 */

const texts = {
  motivation: [
    '<p>I know your <strong>products</strong> and would like to make them better.</p>',
    '<p>A friend of mine works with you &amp; likes it.</p><ul><li>close to home</li><li>part time</li></ul>',
    '<p>مرحبا! I speak Arabic and French.</p>',
  ],
  budget_code: ['A-100', 'B-220', 'R&D <2>'],
  catering: ['Coffee and cake', 'Sandwiches,\none half vegetarian', 'Nothing but water'],
};

/**
 * Yields the form values of one object.
 * @param {Owner} owner
 * @param {Random} random
 */
function* valuesOf({ resource, id: ownerId }, random) {
  random.restart(ownerId);
  for (const { id, key, type, min, max, options } of demoForms.find((form) => form.resource === resource)?.items ??
    []) {
    const given = texts[/** @type {keyof typeof texts} */ (key)];
    const text = given ? random.pick(given) : null;
    const isTrue = random.chance(0.7);
    const number = random.between(min ?? 0, Math.min(max ?? 12, 12));
    const chosen = type === 'multi_select' ? random.some(options, random.between(0, options.length)) : [];
    const one = type === 'single_select' ? random.pick(options) : undefined;
    const [html, plain] = richText(type === 'rich_text' ? text : null);
    const shown = {
      text: type === 'text' ? text : (one?.value ?? null),
      long: type === 'textarea' ? text : null,
      number: type === 'integer' ? number : null,
      truth: type === 'boolean' ? isTrue : null,
    };
    const values = type === 'multi_select' ? chosen.map(({ value }) => value) : null;
    const ids = type === 'multi_select' ? chosen : one ? [one] : null;
    const row = [
      ownerId,
      id,
      shown.text,
      shown.long,
      html,
      plain,
      shown.number,
      shown.truth,
      values,
      ids?.map((option) => String(option.id)) ?? null,
    ];
    yield { row, itemId: id, value: shown.text ?? shown.long ?? plain ?? shown.number ?? shown.truth ?? values };
  }
}

/**
 * Yields the rows of the table with the form values of one type of subject.
 * @param {readonly Owner[]} owners @param {Owner['subjectType']} subjectType
 */
export function* formValueRows(owners, subjectType) {
  const random = new Random('form values');
  for (const owner of owners)
    if (owner.subjectType === subjectType) for (const { row } of valuesOf(owner, random)) yield row;
}

/**
 * Returns the history entries about the submitted forms.
 * @param {readonly Owner[]} owners @returns {import('./history.mjs').Entry[]}
 */
export function submissions(owners) {
  const random = new Random('form values');
  return owners.map((owner) => ({
    subjectType: owner.subjectType,
    subjectId: owner.id,
    type: 'form_submitted',
    at: owner.at,
    by: owner.by,
    changes: [...valuesOf(owner, random)].map(({ itemId, value }) => ({
      path: `/form_values/${itemId}:1:1`,
      old: null,
      new: value,
    })),
  }));
}
